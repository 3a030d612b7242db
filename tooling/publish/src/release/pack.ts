import { join } from "node:path";
import { packArguments, publishedFolders } from "@tooling/docs/published";
import { changeManifest } from "../install/manifest.ts";
import { runProgram, step } from "../install/process.ts";

interface Packing {
  /** The folder of the tarballs. */
  readonly into: string;
  /**
   * `<owner>/<name>` on GitHub. npm gives provenance only to a package that names its repository.
   */
  readonly repository: string | undefined;
}

/**
 * Builds and packs each package of a checkout for publication, and sets its repository, which only
 * the workflow knows.
 */
export async function pack(checkout: string, { into, repository }: Packing): Promise<void> {
  const env = { TURBO_TELEMETRY_DISABLED: "1" };
  await step("building", () => runProgram(["pnpm", "build"], { cwd: checkout, env }));
  if (repository !== undefined) nameRepository(checkout, `https://github.com/${repository}`);
  await step("packing", () => runProgram(packArguments(checkout, into), { cwd: checkout, env }));
}

function nameRepository(checkout: string, url: string): void {
  for (const folder of publishedFolders(checkout))
    changeManifest(join(checkout, folder), {
      homepage: `${url}/tree/main/${folder}#readme`,
      bugs: `${url}/issues`,
      repository: { type: "git", url: `git+${url}.git`, directory: folder },
    });
}
