import { parseJson, type Rendered, render, utf8 } from "../harness/bytes.ts";
import { parts } from "../harness/history.ts";
import type { Answer, Received } from "../harness/host.ts";
import { replaceInput } from "../harness/mutate.ts";
import { fewTokens } from "../harness/tokens.ts";
import type { Frames, Reply, Wire } from "../wire.ts";

/** A reply in the two ways that a request can ask for it. */
export interface ScriptedReply {
  readonly frames: Frames;
  /** Absent where the protocol cannot say it in one piece. */
  readonly body?: string | undefined;
}

/** Whether a request asks for a stream. */
export const asksForStream = (wire: Wire, request: Received): boolean =>
  wire.agent?.streams(request) ?? true;

/** The output cap that a request names. */
export function requestedCap({ body }: Received): number | undefined {
  for (const part of parts(parseJson(body))) {
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

export const toScriptedReply = (wire: Wire, reply: Reply): ScriptedReply => ({
  frames: wire.frames(reply),
  body: wire.whole?.(reply),
});

/** What ends a conversation. */
export const finalReply = (wire: Wire): ScriptedReply =>
  toScriptedReply(wire, {
    blocks: [{ text: "All done." }],
    stop: wire.nativeStops.stop ?? "",
    output: fewTokens,
  });

/** The same with another text for an input; nothing where the protocol sends no text for it. */
export function withOtherInput(
  { frames, body }: ScriptedReply,
  from: string,
  to: string,
): ScriptedReply | undefined {
  const other = replaceInput(frames, from, to);
  if (other === undefined) return undefined;
  return {
    frames: other,
    body:
      body === undefined
        ? undefined
        : replaceInput({ upToTerminal: [body] }, from, to)?.upToTerminal[0],
  };
}

export interface Interruption {
  /** How much of the bytes comes. */
  readonly length?: ((rendered: Rendered) => number) | undefined;
  readonly fault?: Answer["fault"];
}

const renderBody = (body: string): Rendered => {
  const bytes = utf8(body);
  return { bytes, completeLength: bytes.length, payloads: [body], edges: [0, bytes.length] };
};

/** The answer to a request, the way it asked for it. */
export function renderAnswer(
  wire: Wire,
  request: Received,
  { frames, body, length, fault }: ScriptedReply & Interruption,
): Answer {
  const streamed = asksForStream(wire, request);
  if (!streamed && body === undefined)
    throw new Error(`The wire ${wire.name} cannot say this in one piece.`);
  const rendered = streamed ? render(frames) : renderBody(body ?? "");
  const bytes = rendered.bytes.subarray(0, length?.(rendered));
  return {
    chunks: [bytes],
    fault,
    ...(!streamed && { headers: { "content-type": "application/json" } }),
  };
}
