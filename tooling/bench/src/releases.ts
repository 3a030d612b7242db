import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describeReleases, type Releases } from "@tooling/docs/speed-page";
import { isPeer, type PeerName, peerPackages } from "./peers.ts";
import type { WireName } from "./wires/index.ts";

/** The SDK that the contenders `sdk` and `helper` are. */
const sdkOf: Readonly<Record<WireName, string>> = {
  anthropic: "@anthropic-ai/sdk",
  chat: "openai",
  responses: "openai",
  gemini: "@google/genai",
  bedrock: "@aws-sdk/client-bedrock-runtime",
  ollama: "ollama",
};

const installedVersion = (name: string): string => {
  const manifest = new URL(`../node_modules/${name}/package.json`, import.meta.url);
  return (JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }).version;
};

const isPeerName = (name: string): name is PeerName => isPeer(name);

/** The packages of other projects that a table compares with, in their versions here. */
export function comparedReleases(
  wires: readonly WireName[],
  contenders: readonly string[],
): Releases {
  const usesSdks = contenders.some((name) => name === "sdk" || name === "helper");
  const sdks = usesSdks ? wires.map((wire) => sdkOf[wire]) : [];
  const peers = wires.includes("anthropic") ? contenders.filter(isPeerName) : [];
  return Object.fromEntries([
    ...sdks.map((name) => [name, installedVersion(name)]),
    ...peers.flatMap((name) => Object.entries(peerPackages[name])),
  ]);
}

async function newestVersion(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", [
    "view",
    name,
    "version",
    "--loglevel=error",
  ]);
  return stdout.trim();
}

/**
 * A sentence that each of these releases is the newest today. A comparison with an older one may
 * blame it for what was mended, so it rejects if npm names a newer one or does not answer.
 */
export async function proveNewest(releases: Releases): Promise<string | undefined> {
  const older: string[] = [];
  for (const [name, version] of Object.entries(releases)) {
    const newest = await newestVersion(name);
    if (newest !== version) older.push(`${name} ${version} (newest: ${newest})`);
  }
  if (older.length > 0)
    throw new Error(
      `Nothing is written about releases that are not the newest: ${older.join(", ")}. ` +
        "Change pnpm-workspace.yaml, or the packages in tooling/bench/src/peers.ts.",
    );
  return describeReleases(releases, new Date().toISOString().slice(0, 10));
}
