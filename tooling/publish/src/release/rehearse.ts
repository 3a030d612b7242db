import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { publishedFolders } from "@tooling/docs/published";
import { tryingPackages, tryPackages } from "../install/consumer.ts";
import { manifestOf } from "../install/manifest.ts";
import { root, runProgram, scratch, step } from "../install/process.ts";
import type { Source } from "../install/source.ts";
import { tryImage } from "./image.ts";
import { pack } from "./pack.ts";
import { startRegistry } from "./registry.ts";

/**
 * Runs a whole release in a clone and with a local registry, and deletes both. Resolves with a
 * sentence about the result.
 */
export async function rehearse(): Promise<string> {
  const folder = scratch("release");
  const clone = join(folder, "clone");
  const pnpm = (...args: readonly string[]): Promise<string> =>
    runProgram(["pnpm", ...args], {
      cwd: clone,
      env: { CI: "true", TURBO_TELEMETRY_DISABLED: "1" },
    });
  await step("cloning the committed files", () =>
    runProgram(["git", "clone", "--quiet", root, clone], { cwd: folder }),
  );
  await step("installing", () => pnpm("install", "--frozen-lockfile"));
  const version = await step("versioning", async () => {
    await pnpm("changeset", "version");
    return theOneVersion(clone);
  });
  const into = join(folder, "packed");
  await pack(clone, { into, repository: "example/fullstop" });
  const registry = await startRegistry(join(folder, "registry"));
  try {
    writeFileSync(
      join(clone, ".npmrc"),
      `registry=${registry.url}\n${registry.url.replace("http:", "")}:_authToken=none\n`,
    );
    await step(`publishing ${version}`, () => runProgram([".ci/publish", into], { cwd: clone }));
    const source: Source = {
      spec: (name) => `${name}@${version}`,
      args: ["--registry", registry.url],
      complete: true,
    };
    await step("running the steps of the gateway's image", () =>
      tryImage({ registry: registry.url, version }),
    );
    return `${version} was published to a local registry and installed from it: ${await step(tryingPackages, () => tryPackages(source))}`;
  } finally {
    await registry.close();
  }
}

const foldersOf = (clone: string): readonly string[] =>
  publishedFolders(clone).map((name) => join(clone, name));

/** The version of the release, which all packages share. */
function theOneVersion(clone: string): string {
  const [first, ...others] = new Set(foldersOf(clone).map((folder) => manifestOf(folder).version));
  if (first === undefined || others.length > 0)
    throw new Error(`The packages have several versions: ${[first, ...others].join(", ")}.`);
  return first;
}
