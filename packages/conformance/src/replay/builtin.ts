import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Adapter, Endpoint } from "@fullstop/core";
import type { AdapterSubject } from "../subject.ts";
import { wires } from "../wires/index.ts";

/**
 * The adapter that reads a wire of this package: the factory of a package, and the SDK that the
 * package needs.
 */
interface Reader {
  readonly package: string;
  readonly sdk: string;
  readonly factory: string;
  readonly model: string;
}

/** The name of a wire of this package, as `--wire` takes it. */
export type WireName = keyof typeof wires;
const openai = { package: "@fullstop/provider-openai", sdk: "openai" };
const readers: Readonly<Record<WireName, Reader>> = {
  anthropic: {
    package: "@fullstop/provider-anthropic",
    sdk: "@anthropic-ai/sdk",
    factory: "anthropic",
    model: "claude-sonnet-5-5",
  },
  "openai-chat": { ...openai, factory: "openaiChat", model: "gpt-5.2" },
  "openai-responses": { ...openai, factory: "openai", model: "gpt-5.5" },
  gemini: {
    package: "@fullstop/provider-google",
    sdk: "@google/genai",
    factory: "google",
    model: "gemini-3.1-pro",
  },
};

type Factory = (model: string, endpoint: Endpoint) => Adapter;

/**
 * The wire with the adapter of its package, which is resolved from `folder`.
 * @throws Error, with what to install, if the package is missing.
 */
export async function builtinSubject(name: WireName, folder: string): Promise<AdapterSubject> {
  const { package: from, sdk, factory, model } = readers[name];
  const path = resolvePackage(from, folder);
  if (path === undefined)
    throw new Error(
      `The wire ${name} needs ${from}, which is not installed here: npm install ${from} ${sdk}`,
    );
  const make = ((await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>)[
    factory
  ] as Factory | undefined;
  if (make === undefined)
    throw new Error(
      `${from} has no "${factory}": install the version that @fullstop/conformance has.`,
    );
  return {
    wire: wires[name],
    adapter: (endpoint) => make(model, { apiKey: "not-a-key", ...endpoint }),
  };
}

function resolvePackage(name: string, folder: string): string | undefined {
  try {
    return createRequire(join(folder, "from-here.js")).resolve(name);
  } catch {
    return undefined;
  }
}
