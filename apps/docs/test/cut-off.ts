/** Finds what a page cuts off at the width of its window. It is run in the page, so it uses nothing outside itself. */

/** `ELEMENT: text` of everything that is cut off. Boxes that scroll cut nothing off, as their bars are always there. */
export function cutOff(): string[] {
  const isShown = (element: Element): boolean =>
    element.getClientRects().length > 0 && getComputedStyle(element).visibility !== "hidden" && element.clientWidth > 1;
  const named = (element: Element): string =>
    `${element.tagName.toLowerCase()}.${[...element.classList].join(".")}: ${element.textContent.trim().slice(0, 60)}`;
  const clips = (element: Element): boolean => /^(hidden|clip)$/.test(getComputedStyle(element).overflowX);
  const page = document.documentElement;
  const wide = page.scrollWidth > window.innerWidth ? [`the page is ${page.scrollWidth} wide`] : [];
  const text = document.querySelector(".VPDoc .vp-doc");
  // Without an outline beside it, the text may reach the edge of the window.
  const hasOutline = [...document.querySelectorAll(".VPDocAside")].some(isShown);
  const right = hasOutline && text ? text.getBoundingClientRect().right : window.innerWidth;
  /** Whether something below the text keeps the element inside by scrolling or clipping. */
  const isHeld = (element: Element): boolean => {
    for (let box = element.parentElement; box && box !== text; box = box.parentElement)
      if (getComputedStyle(box).overflowX !== "visible") return true;
    return false;
  };
  return [
    ...wide,
    // The icon of the menu is larger than its box, and what only screen readers tell has a box of a pixel.
    ...[...document.querySelectorAll("body *")]
      .filter(
        (element) => isShown(element) && clips(element) && !element.closest(".VPNavBarHamburger, .visually-hidden, mjx-assistive-mml"),
      )
      .filter((element) => element.scrollWidth > element.clientWidth + 1)
      .map(named),
    // What leaves the column of the text runs over the outline.
    ...[...(text?.querySelectorAll("*") ?? [])]
      .filter((element) => isShown(element) && getComputedStyle(element).overflowX === "visible" && !isHeld(element))
      .filter((element) => element.getBoundingClientRect().left + element.scrollWidth > right + 1)
      .map(named),
  ];
}
