import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ReplyReader } from "@fullstop/core";
import { parseJson } from "@fullstop/core/adapter";
import type { WireName } from "../replay/builtin.ts";

/** How replies of a protocol are read: the entry of a package without its SDK. */
interface ReaderSource {
  readonly entry: string;
  readonly factory: string;
  readonly install: string;
}

const openaiSource = {
  entry: "@fullstop/provider-openai/reply",
  install: "@fullstop/provider-openai openai",
};
const sources: Readonly<Record<WireName, ReaderSource>> = {
  anthropic: {
    entry: "@fullstop/provider-anthropic/reply",
    factory: "anthropicReply",
    install: "@fullstop/provider-anthropic @anthropic-ai/sdk",
  },
  "openai-chat": { ...openaiSource, factory: "openaiChatReply" },
  "openai-responses": { ...openaiSource, factory: "openaiReply" },
  gemini: {
    entry: "@fullstop/provider-google/reply",
    factory: "googleReply",
    install: "@fullstop/provider-google @google/genai",
  },
};

/** The models that the fixtures name. A gateway may be asked for another name. */
export const corpusModels: Readonly<Record<WireName, string>> = {
  anthropic: "claude-sonnet-5-5",
  "openai-chat": "gpt-5.2",
  "openai-responses": "gpt-5.5",
  gemini: "gemini-3.1-pro",
};

/** Reads replies of one protocol with the gate. */
export interface ProtocolReader {
  readonly reader: ReplyReader;
  /** Parses the data of one event. */
  parse(data: string): unknown;
}

type ReplyFactory = (model: string) => ReplyReader;

/**
 * The reader of a protocol, from its package, which is resolved from `folder`.
 * @throws Error, with what to install, if the package is missing.
 */
export async function loadReader(name: WireName, folder: string): Promise<ProtocolReader> {
  const { entry, factory, install } = sources[name];
  let path: string;
  try {
    path = createRequire(join(folder, "from-here.js")).resolve(entry);
  } catch (cause) {
    throw new Error(
      `Replies of ${name} are read with ${entry}, which is not installed here: npm install ${install}`,
      { cause },
    );
  }
  const loaded = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
  const make = loaded[factory] as ReplyFactory | undefined;
  if (make === undefined)
    throw new Error(
      `${entry} has no "${factory}": install the version that @fullstop/conformance has.`,
    );
  return { reader: make(corpusModels[name]), parse: eventParsers[name] };
}

const eventParsers: Readonly<Record<WireName, (data: string) => unknown>> = {
  anthropic: parseJson,
  "openai-chat": (data) => (data.startsWith("[DONE]") ? "[DONE]" : parseJson(data)),
  "openai-responses": (data) => (data.startsWith("[DONE]") ? undefined : parseJson(data)),
  gemini: (data) => (data.startsWith("[DONE]") ? undefined : parseJson(data)),
};
