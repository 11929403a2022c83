// @ts-check
/**
 * The pages of the API, one for each entry point of a public package, from the docstrings of the sources: `api/*.md` and the sidebar's part.
 * Fails where something public has no docstring, or a link in one leads nowhere. Needs no build; TypeDoc needs a TypeScript with an API,
 * which is this package's own.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Application, Converter, ReflectionKind } from "typedoc";

const site = fileURLToPath(new URL("..", import.meta.url));
const packages = join(site, "..", "..", "packages");

/** Public packages: name, and the sources of their entry points by the name that is imported. */
const publicPackages = () =>
  readdirSync(packages)
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8")) }))
    .filter(({ manifest }) => manifest.private !== true)
    .map(({ folder, manifest: { name, exports } }) => ({
      name,
      entries: Object.entries(exports)
        .filter(([, target]) => target["@dechirp/source"])
        .map(([path, target]) => ({ name: join(name, path), source: join(packages, folder, target["@dechirp/source"]) })),
    }));

/** Whether all is documented and all links lead somewhere; what is not was said. */
export async function writeApi() {
  const all = publicPackages();
  const entries = all.flatMap((one) => one.entries);
  const names = new Map(entries.map(({ name, source }) => [source, name]));
  const app = await Application.bootstrapWithPlugins({
    entryPoints: entries.map(({ source }) => source),
    plugin: ["typedoc-plugin-markdown", "typedoc-vitepress-theme"],
    tsconfig: join(site, "tsconfig.api.json"),
    out: join(site, "api"),
    name: "API",
    readme: "none",
    router: "module",
    sort: ["source-order"],
    groupOrder: ["Functions", "Classes", "Interfaces", "Type Aliases", "Variables"],
    excludeInternal: true,
    excludeExternals: true,
    excludePrivate: true,
    disableSources: true,
    logLevel: "Warn",
    validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: true, unusedMergeModuleWith: true },
    requiredToBeDocumented: ["Function", "Class", "Variable"],
    packagesRequiringDocumentation: all.map(({ name }) => name),
    ...{
      docsRoot: site,
      hideBreadcrumbs: true,
      hidePageHeader: true,
      parametersFormat: "table",
      interfacePropertiesFormat: "table",
    },
  });
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    for (const module of context.project.getReflectionsByKind(ReflectionKind.Module)) {
      const file = context.project.getSymbolIdFromReflection(module)?.fileName ?? "";
      module.name = names.get(file) ?? module.name;
    }
  });
  const project = await app.convert();
  if (!project) throw new Error("TypeDoc could not read the sources");
  app.validate(project);
  await app.generateOutputs(project);
  for (const { name } of entries) straightenLinks(join(site, "api", `${name}.md`));
  writeFileSync(join(site, "api", "pages.json"), JSON.stringify(entries.map(({ name }) => name).sort()));
  return !app.logger.hasErrors() && !app.logger.hasWarnings();
}

/**
 * Makes `#name-3` `#name` where so many headings of that name are not on the page: typedoc-plugin-markdown 4.14 counts a name that is a type
 * and a function, told apart by case, once too often. Can go when it numbers as VitePress does; the check for dead anchors will say so.
 * @param {string} file
 */
function straightenLinks(file) {
  const text = readFileSync(file, "utf8");
  const names = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading.replace(/[\\()]/g, "").toLowerCase());
  const countOf = (/** @type {string} */ name) => names.filter((one) => one === name).length;
  writeFileSync(
    file,
    text.replace(/\]\(#([a-z]+)-(\d+)\)/g, (link, name, number) => (countOf(name) > Number(number) ? link : `](#${name})`)),
  );
}
