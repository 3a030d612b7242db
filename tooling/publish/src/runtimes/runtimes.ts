import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { miniflareVersion } from "@tooling/test/services";
import { runProgram } from "../install/process.ts";
import { installTool, type Tool } from "../install/tool.ts";
import type { BundleOptions } from "./bundle.ts";

export interface Runtime extends Pick<BundleOptions, "condition" | "output"> {
  readonly version: string;
  /**
   * Runs all packages. This is the oldest Node, because `pnpm test` judges all packages on the
   * newest.
   */
  readonly all?: true;
  /**
   * Downloads the runtime. Resolves with a function that runs a bundle and returns its result as
   * JSON.
   */
  prepare(): Promise<(file: string) => Promise<string>>;
}

/** A program from npm that runs the file. */
function program(tool: Tool, ...args: readonly string[]): Runtime {
  return {
    version: tool.version,
    condition: "node",
    output: "printed",
    prepare: async () => {
      const bin = join(await installTool(tool), "node_modules/.bin", tool.name);
      return (file) => runProgram([bin, ...args, file], { cwd: dirname(file) });
    },
  };
}

const thisNode: Runtime = {
  version: process.versions.node,
  condition: "node",
  output: "printed",
  prepare: async () => (file) => runProgram([process.execPath, file], { cwd: dirname(file) }),
};

interface Worker {
  dispatchFetch(url: string): Promise<{ readonly ok: boolean; text(): Promise<string> }>;
  dispose(): Promise<void>;
}
/**
 * Runs workerd on the loopback. The SDK needs `nodejs_compat`, because it imports modules of Node.
 */
const miniflare: Tool = { name: "miniflare", version: miniflareVersion };

const workerd: Runtime = {
  version: "1.20260730.1",
  condition: "workerd",
  output: "answered",
  prepare: async () => {
    const require = createRequire(join(await installTool(miniflare), "package.json"));
    const { Miniflare } = require("miniflare") as {
      readonly Miniflare: new (options: object) => Worker;
    };
    return async (file) => {
      const modules = [{ type: "ESModule", path: file, contents: readFileSync(file, "utf8") }];
      const worker = new Miniflare({
        modules,
        modulesRoot: dirname(file),
        compatibilityDate: "2026-07-01",
        compatibilityFlags: ["nodejs_compat"],
        cf: false,
      });
      try {
        const response = await worker.dispatchFetch("http://127.0.0.1/");
        const text = await response.text();
        if (!response.ok) throw new Error(text);
        return text;
      } finally {
        await worker.dispose();
      }
    };
  },
};

export type RuntimeName = "Node 22" | "Node 24" | "Node 26" | "Bun" | "Deno" | "workerd";

/** The runtimes, in the order of the table. */
export const runtimes: Readonly<Record<RuntimeName, Runtime>> = {
  "Node 22": { ...program({ name: "node", version: "22.12.0" }), all: true },
  "Node 24": program({ name: "node", version: "24.21.0" }),
  "Node 26": thisNode,
  Bun: program({ name: "bun", version: "1.4.5" }),
  Deno: program(
    { name: "deno", version: "2.9.6" },
    "run",
    "--allow-env",
    "--allow-read",
    "--allow-sys",
    "--no-prompt",
  ),
  workerd,
};
export const runtimeNames = Object.keys(runtimes) as readonly RuntimeName[];
