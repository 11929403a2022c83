// @ts-check
/**
 * Checks the links in the repository's own Markdown (READMEs, docs/, CONTRIBUTING). Relative links must lead to an existing file, folder
 * or heading; others must be https or mailto. The pages of the site are checked when it is built. Pure functions of texts and a list of
 * paths.
 */

/** @typedef {{ path: string, text: () => string }} File a path relative to the root, with forward slashes */

const isOurs = (/** @type {string} */ path) => path.endsWith(".md") && !/^(apps\/docs|\.changeset|packages\/bench\/results)\//.test(path);

/** The id of a heading, as GitHub makes it. @param {string} heading */
const slug = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");

/** Removes code. @param {string} text */
const prose = (text) => text.replace(/^```[\s\S]*?^```/gm, "").replace(/`[^`\n]*`/g, "code");

/** @param {string} text */
const headings = (text) => [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => slug(heading));

/** @param {string} text */
function linksOf(text) {
  const plain = prose(text);
  const patterns = [/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g, /^\[[^\]]+\]: *(\S+)/gm, /(?:src|href)="([^"]+)"/g];
  return patterns.flatMap((pattern) => [...plain.matchAll(pattern)].map(([, link = ""]) => link));
}

/**
 * @param {readonly File[]} files all files of the repository
 * @returns {string[]} the dead links, one sentence each
 */
export function deadLinks(files) {
  const texts = new Map(files.map((file) => [file.path, file.text]));
  const folders = new Set(files.flatMap(({ path }) => path.split("/").map((_, i, parts) => parts.slice(0, i).join("/"))));
  return files
    .filter(({ path }) => isOurs(path))
    .flatMap(({ path, text }) =>
      linksOf(text())
        .filter((link) => !isAlive(path, link))
        .map((link) => `${path}: dead link ${link}`),
    );

  /** @param {string} from @param {string} link */
  function isAlive(from, link) {
    if (/^[a-z][a-z\d+.-]*:/i.test(link)) return URL.canParse(link) && /^(https|mailto):/.test(link);
    const { pathname, hash } = new URL(link, `https://repository/${from}`);
    const target = decodeURIComponent(pathname.slice(1)).replace(/\/$/, "");
    const content = texts.get(target);
    if (hash === "" || content === undefined) return content !== undefined || (hash === "" && folders.has(target));
    return headings(content()).includes(decodeURIComponent(hash.slice(1)));
  }
}
