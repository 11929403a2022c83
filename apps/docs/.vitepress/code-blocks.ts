/** Marks blocks of code whose lines must not wrap: tables as text, whose columns stand below each other. Those scroll; all other code wraps. */
import type { MarkdownRenderer } from "vitepress";

/** Characters of a line that fit beside the outline. */
const width = 76;

/** Whether a line is a row of three or more columns. */
const isRow = (line: string): boolean => (line.trim().match(/\S {2,}(?=\S)/g) ?? []).length >= 2;

/** Whether a text has neighbouring rows of which one would wrap. */
export function isWideTable(text: string): boolean {
  const lines = text.split("\n");
  return lines.some((line, i) => line.length > width && isRow(line) && [lines[i - 1], lines[i + 1]].some((next) => isRow(next ?? "")));
}

/** Makes the renderer mark such blocks with the class `scrolls`. Blocks of the language `text` are help texts, all of which are aligned. */
export function withScrolls(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  if (!fence) throw new Error("VitePress has no rule for blocks of code");
  markdown.renderer.rules.fence = (...all) => {
    const html = fence(...all);
    const [tokens, i] = all; // the text of an included file is there once the block is rendered
    const { info = "", content = "" } = tokens[i] ?? {};
    return /^text\b/.test(info) || (/^txt\b/.test(info) && isWideTable(content))
      ? html.replace('class="language-', 'class="scrolls language-')
      : html;
  };
}
