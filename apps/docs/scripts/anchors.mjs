// @ts-check
/** Finds links of the built site that lead to pages or headings that are not there; VitePress itself looks at pages only. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const base = process.env["DOCS_BASE"] ?? "/";

/**
 * `page → link` of every dead one.
 * @param {string} folder the built site
 */
export function deadAnchors(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
  const pages = new Map(files.map((file) => [file.replaceAll("\\", "/"), readFileSync(join(folder, file), "utf8")]));
  const idsOf = new Map([...pages].map(([file, text]) => [file, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]));
  return [...pages].flatMap(([file, text]) => {
    const links = new Set([...text.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, href]) => href.replaceAll("&amp;", "&")));
    return [...links]
      .filter((href) => !/^[a-z]+:/.test(href))
      .filter((href) => {
        const { pathname, hash } = new URL(href, `http://site${base}${file.replace(/(index)?\.html$/, "")}`);
        const path = decodeURIComponent(pathname.slice(base.length));
        // The studio is an application of its own: what follows its address is none of the site's pages.
        if (path === "studio/") return false;
        const target = [path, `${path}.html`, `${path}index.html`].find((one) => pages.has(one));
        if (target === undefined) return !existsSync(join(folder, path));
        return hash !== "" && !idsOf.get(target)?.has(decodeURIComponent(hash.slice(1)));
      })
      .map((href) => `${file} → ${href}`);
  });
}
