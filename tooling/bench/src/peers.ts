import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Contender } from "./contenders.ts";
import type { WireName } from "./wires/index.ts";

export type PeerName = "vercel" | "langchain" | "tanstack" | "pi";
/** The packages that `--peers` installs into a folder that no other command uses. */
export const peerPackages = {
  vercel: { ai: "7.0.173", "@ai-sdk/anthropic": "4.0.105" },
  langchain: { "@langchain/core": "1.4.0", "@langchain/anthropic": "1.5.11" },
  tanstack: { "@tanstack/ai": "0.58.0", "@tanstack/ai-anthropic": "0.18.11" },
  pi: { "@earendil-works/pi-ai": "1.6.0" },
} as const satisfies Readonly<Record<PeerName, Readonly<Record<string, string>>>>;
const packages = {
  ...peerPackages.vercel,
  ...peerPackages.langchain,
  ...peerPackages.tanstack,
  ...peerPackages.pi,
};
export const peerNames: readonly PeerName[] = ["vercel", "langchain", "tanstack", "pi"];
export const isPeer = (name: string): boolean => (peerNames as readonly string[]).includes(name);
export const peerDescriptions: Readonly<Record<PeerName, string>> = {
  vercel: `Vercel AI SDK ${packages.ai}, streamText`,
  langchain: `LangChain ${packages["@langchain/core"]}, ChatAnthropic`,
  tanstack: `TanStack AI ${packages["@tanstack/ai"]}, chat`,
  pi: `pi ${packages["@earendil-works/pi-ai"]}, stream`,
};

const folder = fileURLToPath(
  new URL("../../../node_modules/.cache/fullstop-bench", import.meta.url),
);

/** Installs missing packages. */
export async function installPeers(report: (line: string) => void): Promise<void> {
  const manifest = JSON.stringify(
    { private: true, type: "module", dependencies: packages },
    null,
    2,
  );
  const installed = await readFile(join(folder, "installed.json"), "utf8").catch(() => "");
  if (installed === manifest) return;
  report(`installing the peers into ${folder}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), manifest);
  const names = [...Object.keys(packages), "@earendil-works/pi-ai/providers/anthropic"].map(
    (name) => JSON.stringify(name),
  );
  await writeFile(
    join(folder, "index.js"),
    names.map((name) => `export * as ${name} from ${name};\n`).join(""),
  );
  await promisify(execFile)("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: folder,
  });
  await writeFile(join(folder, "installed.json"), manifest);
}

/** The installed contenders of a protocol. All of them support only Anthropic's. */
export async function peersOf(
  wire: WireName,
  baseURL: string,
): Promise<Readonly<Partial<Record<PeerName, Contender>>>> {
  if (wire !== "anthropic") return {};
  const modules: unknown = await import(pathToFileURL(join(folder, "index.js")).href);
  const { peersOn }: SetUps = await import(new URL("peers-untyped.mjs", import.meta.url).href);
  return peersOn(baseURL, modules);
}

interface SetUps {
  peersOn(baseURL: string, modules: unknown): Readonly<Record<PeerName, Contender>>;
}
