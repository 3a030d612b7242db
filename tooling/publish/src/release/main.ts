import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { readCommandLine } from "@tooling/test/options";
import { runCommand } from "../command.ts";
import { root } from "../install/process.ts";
import { pack } from "./pack.ts";
import { rehearse } from "./rehearse.ts";

const releaseHelp = `Packs the packages of a release. The release workflow runs it, and then \`.ci/publish\`.

  pnpm release --dry-run        runs the whole release in a clone of the committed files, with a registry on the loopback:
                                version, build, pack, publish, install, and use the installed packages
  pnpm release --pack <folder>  builds and packs each package into this folder

Exit codes: 0 success; 1 failure; 2 an invalid option. The dry run leaves only a cache in node_modules/.cache.
`;

const { values } = readCommandLine(releaseHelp, () => {
  const asked = parseArgs({
    options: {
      "dry-run": { type: "boolean" },
      pack: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  const { help, pack: folder, "dry-run": dryRun } = asked.values;
  if (help || dryRun || folder !== undefined) return asked;
  throw new Error(
    "Missing option: use `pnpm release --dry-run` or `pnpm release --pack <folder>`.",
  );
});

async function runPack(folder: string): Promise<string> {
  const into = resolve(folder);
  await pack(root, { into, repository: process.env["GITHUB_REPOSITORY"] });
  return `The packages are in ${into}.`;
}

const { pack: packInto } = values;
await runCommand(packInto === undefined || values["dry-run"] ? rehearse : () => runPack(packInto));
