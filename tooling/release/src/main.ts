import { globSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root, sh, step } from "@tooling/install/process";
import { changeManifest } from "./manifest.ts";
import { rehearse } from "./rehearse.ts";

const help = `Publishes the packages whose version is not on npm yet. The release workflow runs it; nobody needs to by hand.

  pnpm release --dry-run    the whole release in a clone of what is committed, with a registry on the loopback:
                            version, build, publish, install from there, and use what was installed
  pnpm release              builds and publishes to npm; only where CI is set

Ends with 0 when all of it worked, else with 1. The rehearsal leaves nothing behind but a cache in node_modules/.cache.
`;

const { values } = parseArgs({ options: { "dry-run": { type: "boolean" }, help: { type: "boolean", short: "h" } } });

async function publish(): Promise<string> {
  if (!process.env["CI"]) throw new Error("A release is published by the release workflow. `pnpm release --dry-run` rehearses it here.");
  await step("building", () => sh(["pnpm", "build"], { cwd: root }));
  nameRepository(process.env["GITHUB_REPOSITORY"]);
  return sh(["pnpm", "changeset", "publish"], { cwd: root });
}

/** npm gives provenance only to a package that says where its sources are. */
function nameRepository(repository: string | undefined): void {
  if (repository === undefined) return;
  for (const folder of globSync("packages/*", { cwd: root }))
    changeManifest(join(root, folder), { repository: { type: "git", url: `git+https://github.com/${repository}.git`, directory: folder } });
}

if (values.help) process.stdout.write(help);
else
  await (values["dry-run"] ? rehearse() : publish()).then(
    (said) => process.stdout.write(`${said.trim()}\n`),
    (thrown: unknown) => {
      process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
      process.exitCode = 1;
    },
  );
