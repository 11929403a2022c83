/** What the footer says of the project: where it is, its licence and its version, from the manifests. Read when the site is built. */
import { readFileSync } from "node:fs";

export interface Project {
  /** Address of the repository. */
  readonly repository: string;
  readonly license: string;
  /** Version of the command `dechirp`. */
  readonly version: string;
}

export declare const data: Project;

const manifest = (path: string) => JSON.parse(readFileSync(new URL(`../../../${path}package.json`, import.meta.url), "utf8"));

export const project = (): Project => {
  const { repository, license } = manifest("");
  return { repository: repository.url.replace(/^git\+|\.git$/g, ""), license, version: manifest("packages/cli/").version };
};

export default { load: project };
