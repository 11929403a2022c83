/** What this package uses of oled-font-5x7, which carries no types: five columns of seven dots a character, the lowest bit topmost. */
declare module "oled-font-5x7" {
  const font: { readonly width: number; readonly height: number; readonly fontData: readonly number[]; readonly lookup: readonly string[] };
  export default font;
}
