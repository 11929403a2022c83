/**
 * All packages in one run: `vitest run` at the root. Each package's own configuration is `vitest.shared.ts`. A run that is narrowed to paths
 * starts the projects alone that these paths are in. Files run side by side, at least three at a time, but for `*.timed.test.ts`: these measure how
 * long something takes, and run one after the other when all others have ended.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { parseCLI } from "vitest/node";
import { projectsOf } from "./scripts/test-projects.mjs";

const folders = (parent: string): string[] =>
  readdirSync(new URL(`./${parent}/`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${parent}/${name}`);
const all = [...folders("packages"), ...folders("apps"), "scripts"];

/** Paths and `--exclude` on vitest's command line; none where this is read by anything else, such as an editor. */
const [, program = "", ...args] = process.argv;
const { filter, options } = parseCLI(["vitest", ...(/^vitest(\.mjs)?$/.test(basename(program)) ? args : [])]);
const excluded = [...configDefaults.exclude, ...[options.exclude ?? []].flat()];

/**
 * On the shared machines of CI, another program's work can make a timed test fail, and one that waits for a page or for other processes. It fails for
 * good if it fails twice. The end of the run names those that passed when they were run again (scripts/retried.mjs).
 */
const again = process.env["CI"] ? 1 : 0;
const waitsForOthers = ["apps/studio", "packages/cli", "packages/jobs", "packages/jobs-bullmq"];

const isTimed = (file: string): boolean => file.endsWith(".timed.test.ts");

/** One or two projects of a folder: that of the tests that run beside others, and that of the tests that measure time. */
function projectsIn(folder: string): TestProjectInlineConfiguration[] {
  const url = new URL(`./${folder}/`, import.meta.url);
  const [manifest, tests] = [new URL("package.json", url), new URL("test/", url)];
  const name = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, "utf8")) as { name?: string }).name : undefined;
  const project = (ending: string, exclude: string, more: object = {}): TestProjectInlineConfiguration => ({
    extends: `./${folder}/vitest.config.ts`,
    root: `./${folder}`,
    test: { name: `${name ?? basename(folder)}${ending}`, exclude: [...excluded, exclude], ...more },
  });
  const timed = existsSync(tests) && readdirSync(tests, { recursive: true, encoding: "utf8" }).some(isTimed);
  return [
    project("", "**/*.timed.test.ts", waitsForOthers.includes(folder) ? { retry: again } : {}),
    // Vitest runs the files of projects with one worker after those of all others.
    ...(timed ? [project(", timed", "**/!(*.timed).test.ts", { fileParallelism: false, retry: again })] : []),
  ];
}

export default defineConfig({
  test: {
    // Many tests wait for other processes, so small machines have more workers than cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: projectsOf(filter, all, import.meta.dirname).flatMap(projectsIn),
  },
});
