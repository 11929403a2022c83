/**
 * Text in pictures: removes characters that XML does not allow, and estimates widths. Widths are those of DejaVu Sans, to a few per
 * cent. It is wider than most sans-serif fonts, so text that fits in it also fits in substitute fonts.
 */

/** Fonts of all text: DejaVu Sans, with which PNG images are made, Verdana, which has the same widths, or any sans-serif font. */
export const fonts = "DejaVu Sans, Verdana, sans-serif";

/**
 * Replaces each character that XML does not allow (XML 1.0, section 2.2), each line break and each mark that changes the direction of
 * text by a space.
 */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff\u202a-\u202e\u2066-\u2069]/gu, " ");

/** Characters with their widths in ems. All others have `usualWidth`. */
const widths: readonly (readonly [characters: RegExp, ems: number])[] = [
  [/[ijlI.,:;'|!()[\]/\\ ftr·°-]/, 0.4],
  [/[mwMW%@—…∞Σ]/, 0.98],
  [/[A-Z×−+<>=~ℋ]/, 0.78],
  // Ideographs and other characters that are as wide as they are high.
  [/[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\u{1f000}-\u{3ffff}]/u, 1.05],
];
const usualWidth = 0.64;
const boldRatio = 1.12;

/** Estimated width of a text in pixels, at a font size in pixels. */
export function textWidth(text: string, size: number, bold = false): number {
  let ems = 0;
  for (const character of text) ems += widths.find(([characters]) => characters.test(character))?.[1] ?? usualWidth;
  return ems * size * (bold ? boldRatio : 1);
}

/** Returns `text`, or as much of its beginning as fits into `width` pixels, with an ellipsis. */
export function shortened(text: string, size: number, width: number, bold = false): string {
  if (textWidth(text, size, bold) <= width) return text;
  let kept = "";
  for (const character of text) {
    if (textWidth(`${kept}${character}…`, size, bold) > width) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * Breaks `text` at spaces into lines of at most `width` pixels. The last of at most `most` lines is shortened. An empty text has no
 * lines.
 */
export function wrapped(text: string, size: number, width: number, { bold = false, most = 3 } = {}): readonly string[] {
  const lines: string[] = [];
  const words = plain(text).split(" ").filter(Boolean);
  while (words.length > 0 && lines.length < most - 1) {
    let line = words.shift()!;
    while (words.length > 0 && textWidth(`${line} ${words[0]}`, size, bold) <= width) line += ` ${words.shift()}`;
    lines.push(shortened(line, size, width, bold));
  }
  if (words.length > 0) lines.push(shortened(words.join(" "), size, width, bold));
  return lines;
}
