import type { ReplyReader } from "@fullstop/core";
import { type ClaimedStop, parseJson } from "@fullstop/core/adapter";
import { loadFactory, readers, type WireName } from "../replay/builtin.ts";

/**
 * The stop reasons whose native values the vendor documents, with the same meaning. Another host of
 * the protocol or an older server may send the rest, and a gateway that translates may not know
 * them.
 */
export const documentedStops: Readonly<Record<WireName, readonly ClaimedStop[]>> = {
  anthropic: ["stop", "tool-use", "length", "context-window", "pause", "refusal"],
  "openai-chat": ["stop", "tool-use", "length", "content-filter"],
  "openai-responses": [
    "stop",
    "tool-use",
    "length",
    "content-filter",
    "refusal",
    "context-window",
    "error",
  ],
  gemini: ["stop", "tool-use", "length", "content-filter", "malformed-tool-call"],
  "gemini-interactions": ["stop", "tool-use", "length"],
};

/** Reads replies of one protocol with the gate. */
export interface ProtocolReader {
  readonly reader: ReplyReader;
  parse(data: string): unknown;
}

/**
 * The reader of a protocol, from its package, which is resolved from `folder`.
 * @throws Error, with what to install, if the package is missing.
 */
export async function loadReader(name: WireName, folder: string): Promise<ProtocolReader> {
  const make = (await loadFactory(name, "reply", folder)) as (model: string) => ReplyReader;
  return { reader: make(readers[name].model), parse: eventParsers[name] };
}

const parseUnlessDone = (data: string): unknown =>
  data.startsWith("[DONE]") ? undefined : parseJson(data);

const eventParsers: Readonly<Record<WireName, (data: string) => unknown>> = {
  anthropic: parseJson,
  "openai-chat": (data) => (data.startsWith("[DONE]") ? "[DONE]" : parseJson(data)),
  "openai-responses": parseUnlessDone,
  gemini: parseUnlessDone,
  "gemini-interactions": parseUnlessDone,
};
