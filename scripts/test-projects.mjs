// @ts-check
/** Which of the workspace's vitest projects can hold the tests that a run is narrowed to: vitest starts every project that it is given. */

/**
 * The projects, folders relative to the root, in which a path may contain one of `filters`. All of them where there is no filter, and
 * where a filter does not begin as the path of a project does.
 * @param {readonly string[]} filters as they are given to vitest: parts of paths, relative to the root or absolute
 * @param {readonly string[]} projects
 * @param {string} root
 */
export function projectsOf(filters, projects, root) {
  const slashes = (/** @type {string} */ path) => path.replaceAll("\\", "/");
  const chosen = filters.map((filter) => {
    const given = slashes(filter);
    const own = `${slashes(root)}/`;
    const path = given.startsWith(own) ? given.slice(own.length) : given.replace(/^(\.\/)+/, "");
    return projects.filter((project) => path === project || path.startsWith(`${project}/`) || `${project}/`.startsWith(path));
  });
  if (chosen.length === 0 || chosen.some((some) => some.length === 0)) return projects;
  return projects.filter((project) => chosen.some((some) => some.includes(project)));
}
