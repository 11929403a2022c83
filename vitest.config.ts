/**
 * All packages in one run: `vitest run` at the root. Each package's own configuration is `vitest.shared.ts`. A run that is narrowed to paths
 * starts the projects alone that these paths are in.
 */
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig } from "vitest/config";
import { parseCLI } from "vitest/node";
import { projectsOf } from "./scripts/test-projects.mjs";

const folders = (parent: string): string[] =>
  readdirSync(new URL(`./${parent}/`, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${parent}/${name}`);
const all = [...folders("packages"), ...folders("apps"), "scripts"];

/** Paths on vitest's command line; none where this is read by anything else, such as an editor. */
const [, program = "", ...args] = process.argv;
const filters = /^vitest(\.mjs)?$/.test(basename(program)) ? parseCLI(["vitest", ...args]).filter : [];

export default defineConfig({ test: { projects: [...projectsOf(filters, all, import.meta.dirname)] } });
