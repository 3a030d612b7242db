import { json, type Rendered, render, utf8 } from "../harness/bytes.ts";
import { parts } from "../harness/history.ts";
import type { Answer, Received } from "../harness/host.ts";
import { withInput } from "../harness/mutate.ts";
import { fewTokens } from "../harness/tokens.ts";
import type { Frames, Reply, Wire } from "../wire.ts";

/** A reply in the two ways that a request can ask for it. */
export interface Said {
  readonly frames: Frames;
  /** Absent where the protocol cannot say it in one piece. */
  readonly body?: string | undefined;
}

/** Whether a request asks for a stream. */
export const streams = (wire: Wire, request: Received): boolean =>
  wire.agent?.streams(request) ?? true;

/** The output cap that a request names. */
export function capOf({ body }: Received): number | undefined {
  for (const part of parts(json(body))) {
    if (typeof part !== "object" || part === null) continue;
    for (const [key, value] of Object.entries(part))
      if (
        typeof value === "number" &&
        /^max(completion|output)?tokens$/.test(key.toLowerCase().replaceAll("_", ""))
      )
        return value;
  }
  return undefined;
}

export const saidOf = (wire: Wire, reply: Reply): Said => ({
  frames: wire.frames(reply),
  body: wire.whole?.(reply),
});

/** What ends a conversation. */
export const done = (wire: Wire): Said =>
  saidOf(wire, {
    blocks: [{ text: "All done." }],
    stop: wire.nativeStops.stop ?? "",
    output: fewTokens,
  });

/** The same with another text for an input; nothing where the protocol sends no text for it. */
export function rewritten({ frames, body }: Said, from: string, to: string): Said | undefined {
  const other = withInput(frames, from, to);
  if (other === undefined) return undefined;
  return {
    frames: other,
    body:
      body === undefined
        ? undefined
        : withInput({ upToTerminal: [body] }, from, to)?.upToTerminal[0],
  };
}

export interface Ending {
  /** How much of the bytes comes. */
  readonly length?: ((rendered: Rendered) => number) | undefined;
  readonly fault?: Answer["fault"];
}

const inOnePiece = (body: string): Rendered => {
  const bytes = utf8(body);
  return { bytes, whole: bytes.length, payloads: [body], edges: [0, bytes.length] };
};

/** The answer to a request, the way it asked for it. */
export function answerTo(
  wire: Wire,
  request: Received,
  { frames, body, length, fault }: Said & Ending,
): Answer {
  const streamed = streams(wire, request);
  if (!streamed && body === undefined)
    throw new Error(`The wire ${wire.name} cannot say this in one piece.`);
  const rendered = streamed ? render(frames) : inOnePiece(body ?? "");
  const bytes = rendered.bytes.subarray(0, length?.(rendered));
  return {
    chunks: [bytes],
    fault,
    ...(!streamed && { headers: { "content-type": "application/json" } }),
  };
}
