// @ts-check
/** Selects the vitest projects that a limited test run needs, as vitest starts every project that it is given. */

/**
 * The projects (folders relative to the root) that may contain a path with one of `filters`. All projects if there is no filter, or if a
 * filter does not begin like the path of a project.
 * @param {readonly string[]} filters the filters given to vitest: parts of paths, relative to the root or absolute
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
