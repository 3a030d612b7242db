import { type Answer, type Received, serve } from "@fullstop/conformance/server";
import type { ProviderError, Turn } from "@fullstop/core";
import { expect } from "vitest";
import type { Fields } from "./host-wire.ts";
import { outline } from "./outline.ts";

const encoder = new TextEncoder();
export type Bytes = Uint8Array<ArrayBuffer>;

/** The frames of a stream. A text is written as it is: a comment, or `data: [DONE]`. */
export const framesOf = (events: readonly (Fields | string)[]): readonly Bytes[] =>
  events.map((event) => {
    const text = typeof event === "string" ? event : `data: ${JSON.stringify(event)}`;
    return encoder.encode(`${text}\n\n`);
  });
export const streamed = (...events: readonly (Fields | string)[]): Answer => ({
  chunks: framesOf(events),
});
export const json = (body: unknown, status = 200, headers: Answer["headers"] = {}): Answer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  chunks: [encoder.encode(JSON.stringify(body))],
});

/** A host of the internet, played by a server on the loopback. */
export interface LocalHost {
  /** Sends the requests for the host to the server, over a socket. */
  readonly fetch: typeof globalThis.fetch;
  /** The addresses that were asked, as the client wrote them. */
  readonly addresses: readonly string[];
  readonly requests: readonly Received[];
  answer(...answers: readonly Answer[]): void;
  close(): Promise<void>;
}

/** @param origin such as `https://openrouter.ai` */
export async function localHost(origin: string): Promise<LocalHost> {
  const addresses: string[] = [];
  let answers: readonly Answer[] = [];
  let asked = 0;
  const serving = await serve(() => {
    const answer = answers[asked++];
    if (answer === undefined) throw new Error("No answer is left.");
    return answer;
  });
  return {
    fetch: (address, init) => {
      addresses.push(String(address));
      if (!String(address).startsWith(`${origin}/`)) throw new Error(`${address} is another host.`);
      return fetch(String(address).replace(origin, serving.url), init);
    },
    addresses,
    requests: serving.requests,
    answer(...next) {
      answers = next;
      asked = 0;
    },
    close: () => serving.close(),
  };
}

export const errorOf = (turn: Turn): ProviderError | undefined =>
  "error" in turn ? turn.error : undefined;

/**
 * Asks with the reply cut at the end of each frame, and inside of each, closed and broken off: no
 * call runs, and the reply is interrupted.
 */
export async function expectNoCallIfCut(
  frames: readonly Bytes[],
  ask: (answer: Answer) => Promise<Turn>,
): Promise<void> {
  for (const [count, frame] of frames.entries()) {
    const before = frames.slice(0, count);
    for (const chunks of [before, [...before, frame.slice(0, frame.length >> 1)]])
      for (const fault of [undefined, "reset"] as const) {
        const turn = await ask({ chunks, fault });
        expect([count, chunks.length, fault, ...outline(turn)]).toEqual([
          count,
          chunks.length,
          fault,
          "interrupted",
        ]);
      }
  }
}
