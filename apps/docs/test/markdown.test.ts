/**
 * Documents show only tested examples. Pages of the site include files and have no code of their own. READMEs can't include files, so their
 * code blocks must equal a file or a region in `examples/readme/NAME`. Code blocks without a language are diagrams and must not contain commands.
 */
import { existsSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { examples, fences, filesUnder, includes, pages, read, readmes, regions, root, shownBy, site } from "./markdown.ts";
import { outputFile } from "./outcome.ts";

const named = (paths: readonly string[]) => paths.map((path) => ({ path, name: relative(root, path) }));
const included = pages().flatMap((path) => includes(read(path)));

describe("pages of the site", () => {
  it.each(named(pages()))("$name has no code of its own", ({ path }) => {
    expect(fences(read(path)).map(({ info, text }) => `${info}: ${text}`)).toEqual([]);
  });

  it.each(named(pages()))("$name includes files and regions that exist", ({ path }) => {
    for (const { path: file, region } of includes(read(path))) {
      expect(file).toMatch(/^@\/examples\//);
      const target = file.replace("@", site);
      expect(existsSync(target), file).toBe(true);
      if (region) expect([...regions(read(target)).keys()], file).toContain(region);
    }
  });
});

describe("READMEs", () => {
  it.each([...readmes()].map(([name, path]) => ({ name, path })))("every block of $name is an example", ({ name, path }) => {
    const folder = join(examples, "readme", name);
    const code = fences(read(path)).filter(({ info }) => info !== "");
    if (code.length === 0) return;
    const shown = shownBy(folder);
    for (const { info, text } of code) {
      const files = [...shown].filter(([, texts]) => texts.includes(text)).map(([file]) => file);
      expect(files, `no file of ${relative(root, folder)} is or has a region\n${text}`).not.toEqual([]);
      expect(
        files.some((file) => file.endsWith(info === "js" ? ".mjs" : `.${info}`) || file.endsWith(".out.txt")),
        `${files.join()} is not ${info}`,
      ).toBe(true);
      // The README says how to run the program. It is plain JavaScript, so every supported Node can run it.
      for (const file of files.filter((one) => one.endsWith(".mjs"))) expect(read(path)).toContain(`\`node ${file}\``);
    }
    for (const { text } of fences(read(path)).filter(({ info }) => info === ""))
      expect(text, "a command needs a language").not.toMatch(/^(npm|npx|dechirp|import|const|using) /m);
  });
});

describe("examples", () => {
  const scripts = filesUnder(examples).filter((path) => /\.(m?[jt]s|sh)$/.test(path));

  it.each(named(scripts))("$name or its output is shown, or a shown example uses it", ({ path }) => {
    const [folder, file] = [join(path, ".."), basename(path)];
    const output = outputFile(path);
    const onPage = included.some((one) => [path, output].includes(one.path.replace("@", site)));
    const readme = basename(join(folder, "..")) === "readme" ? readmes().get(basename(folder)) : undefined;
    const shown = readme === undefined ? undefined : shownBy(folder);
    const ours = [shown?.get(file) ?? [], shown?.get(basename(output)) ?? []];
    const inReadme = readme !== undefined && fences(read(readme)).some(({ text }) => ours.some((texts) => texts.includes(text)));
    const isUsed = scripts.some((other) => other !== path && join(other, "..") === folder && read(other).includes(`./${file}`));
    expect(onPage || inReadme || isUsed).toBe(true);
  });
});
