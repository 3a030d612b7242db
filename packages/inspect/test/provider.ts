import type { Fixture } from "@fullstop/conformance";
import { type Answer, serve } from "@fullstop/conformance/server";
import { wires } from "@fullstop/conformance/wires";
import type { Adapter, Endpoint } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { google, googleInteractions } from "@fullstop/provider-google";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { onTestFinished } from "vitest";

export type WireName = keyof typeof wires;
export const wireNames = Object.keys(wires) as WireName[];
type Wire = (typeof wires)[WireName];

const adapters: Readonly<Record<WireName, (endpoint: Endpoint) => Adapter>> = {
  anthropic: (endpoint) => anthropic("claude-sonnet-5-5", endpoint),
  "openai-chat": (endpoint) => openaiChat("gpt-5.2", endpoint),
  "openai-responses": (endpoint) => openai("gpt-5.5", endpoint),
  gemini: (endpoint) => google("gemini-3.1-pro", endpoint),
  "gemini-interactions": (endpoint) => googleInteractions("gemini-3.8-flash", endpoint),
};

/** What the model says, and what the provider does with the reply. */
export interface Play {
  /** A reply of the corpus, by the name of its file, instead of the following. */
  readonly fixture?: string;
  /** The input of the first call comes in so many characters at a time (Anthropic). */
  readonly pieceLength?: number;
  readonly blocks?: Parameters<Wire["frames"]>[0]["blocks"];
  /** The shared stop reason. Default: `tool-use` if there is a call. */
  readonly stop?: "stop" | "tool-use" | "length";
  /** The output tokens that it reports. */
  readonly output?: number;
  /** Only the first events arrive: so many, or all without the last ones. */
  readonly events?: number;
  readonly fault?: Answer["fault"];
  readonly status?: number;
  readonly body?: string;
}

/** A provider on the loopback, and the adapter with the vendor's SDK that asks it. */
export interface Provider {
  readonly adapter: Adapter;
  /** All replies, as they went over the wire. */
  readonly sent: () => string;
}

/** Plays one reply for each request, and ends every other one with a text. */
export async function startProvider(name: WireName, plays: readonly Play[]): Promise<Provider> {
  const replies: string[] = [];
  const serving = await serve((_, index) => {
    const { status, body = "{}", fault, ...play } = plays[index] ?? {};
    if (status !== undefined)
      return { status, headers: { "content-type": "application/json" }, chunks: [utf8(body)] };
    const chunks = framesOf(wires[name], play).map((payload) => `data: ${payload}\n\n`);
    replies.push(...chunks);
    return { chunks: chunks.map(utf8), fault };
  });
  onTestFinished(() => serving.close());
  return {
    adapter: adapters[name]({ baseURL: serving.url, apiKey: "not-a-key" }),
    sent: () => replies.join(""),
  };
}

function framesOf(wire: Wire, { fixture, ...play }: Play): readonly string[] {
  if (fixture === undefined) return scriptedFrames(wire, play);
  const { upToTerminal, after = [] } = fixtureOf(wire, fixture).frames;
  return [...upToTerminal, ...after].slice(0, play.events);
}

export function fixtureOf({ fixtures = [], name }: Wire, file: string): Fixture {
  const found = fixtures.find((one) => one.file === file);
  if (found === undefined) throw new Error(`The corpus of ${name} has no ${file}.`);
  return found;
}

function scriptedFrames(
  wire: Wire,
  { blocks = [{ text: "Done." }], ...play }: Play,
): readonly string[] {
  const calls = blocks.some((block) => "name" in block);
  const stop = play.stop ?? (calls ? "tool-use" : "stop");
  const native = wire.nativeStops[stop] ?? "";
  const { upToTerminal, after = [] } = wire.frames({
    blocks,
    stop: native,
    output: play.output ?? 12,
  });
  const frames = [...upToTerminal, ...after].slice(0, play.events);
  return play.pieceLength === undefined ? frames : inPieces(frames, play.pieceLength);
}

/** Cuts each delta of an input. */
const inPieces = (frames: readonly string[], length: number): readonly string[] =>
  frames.flatMap((frame) => {
    const event = JSON.parse(frame);
    const text: string = event.delta?.partial_json ?? "";
    const count = Math.max(1, Math.ceil(text.length / length));
    if (text === "") return [frame];
    return Array.from({ length: count }, (_, at) => {
      const partial_json = text.slice(at * length, (at + 1) * length);
      return JSON.stringify({ ...event, delta: { ...event.delta, partial_json } });
    });
  });

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
