import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { root } from "@tooling/install/process";
import { pack } from "./pack.ts";
import { rehearse } from "./rehearse.ts";

const help = `Packs what a release publishes. The release workflow runs it, and \`.ci/publish\` on what it packed; nobody needs to by hand.

  pnpm release --dry-run        the whole release in a clone of what is committed, with a registry on the loopback:
                                version, build, pack, publish, install from there, and use what was installed
  pnpm release --pack <folder>  builds, and packs every package into that folder

Ends with 0 when all of it worked, else with 1. The rehearsal leaves nothing behind but a cache in node_modules/.cache.
`;

const { values } = parseArgs({
  options: {
    "dry-run": { type: "boolean" },
    pack: { type: "string" },
    help: { type: "boolean", short: "h" },
  },
});

async function runPack(folder: string): Promise<string> {
  const into = resolve(folder);
  await pack(root, { into, repository: process.env["GITHUB_REPOSITORY"] });
  return `The packages are in ${into}.`;
}

async function runCommand(): Promise<string> {
  if (values["dry-run"]) return rehearse();
  if (values.pack !== undefined) return runPack(values.pack);
  throw new Error("Say what to do: `pnpm release --dry-run` or `pnpm release --pack <folder>`.");
}

if (values.help) process.stdout.write(help);
else
  await runCommand().then(
    (said) => process.stdout.write(`${said.trim()}\n`),
    (thrown: unknown) => {
      process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
      process.exitCode = 1;
    },
  );
