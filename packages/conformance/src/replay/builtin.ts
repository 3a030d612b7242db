import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Adapter, Endpoint } from "@fullstop/core";
import type { AdapterSubject } from "../subject.ts";
import { wires } from "../wires/index.ts";

/** What reads a wire of this package: a package, and the SDK that it needs. */
interface Reader {
  readonly package: string;
  readonly sdk: string;
  /** The adapter of the package. */
  readonly factory: string;
  /** The same without its SDK, in the entry `/reply`. */
  readonly reply: string;
  /** The model that the fixtures name. */
  readonly model: string;
}

/** The name of a wire of this package, as `--wire` takes it. */
export type WireName = keyof typeof wires;
const genai = { package: "@fullstop/provider-google", sdk: "@google/genai" };
const openai = { package: "@fullstop/provider-openai", sdk: "openai" };
export const readers: Readonly<Record<WireName, Reader>> = {
  anthropic: {
    package: "@fullstop/provider-anthropic",
    sdk: "@anthropic-ai/sdk",
    factory: "anthropic",
    reply: "anthropicReply",
    model: "claude-sonnet-5-5",
  },
  "openai-chat": { ...openai, factory: "openaiChat", reply: "openaiChatReply", model: "gpt-5.2" },
  "openai-responses": { ...openai, factory: "openai", reply: "openaiReply", model: "gpt-5.5" },
  gemini: { ...genai, factory: "google", reply: "googleReply", model: "gemini-3.1-pro" },
  "gemini-interactions": {
    ...genai,
    factory: "googleInteractions",
    reply: "interactionsReply",
    model: "gemini-3.8-flash",
  },
};

/**
 * A function of the package that reads a wire, or of its entry `/reply`. It is resolved from `folder`.
 * @throws Error, with what to install, if the package is missing.
 */
export async function loadFactory(
  name: WireName,
  of: "factory" | "reply",
  folder: string,
): Promise<unknown> {
  const { package: from, sdk, [of]: factory } = readers[name];
  const entry = of === "reply" ? `${from}/reply` : from;
  let path: string;
  try {
    path = createRequire(join(folder, "from-here.js")).resolve(entry);
  } catch (cause) {
    throw new Error(
      `The wire ${name} needs ${entry}, which is not installed in ${folder} or above: npm install ${from} ${sdk}`,
      { cause },
    );
  }
  const loaded = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  if (loaded[factory] !== undefined) return loaded[factory];
  throw new Error(
    `${entry} has no "${factory}": install the version that @fullstop/conformance has.`,
  );
}

/**
 * The wire with the adapter of its package, which is resolved from `folder`.
 * @throws Error, with what to install, if the package is missing.
 */
export async function builtinSubject(name: WireName, folder: string): Promise<AdapterSubject> {
  type Factory = (model: string, endpoint: Endpoint) => Adapter;
  const make = (await loadFactory(name, "factory", folder)) as Factory;
  return {
    wire: wires[name],
    adapter: (endpoint) => make(readers[name].model, { apiKey: "not-a-key", ...endpoint }),
  };
}
