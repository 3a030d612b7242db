import { type Rendered, render, utf8 } from "../harness/bytes.ts";
import { type Answer, jsonBody, type Received } from "../harness/host.ts";
import { nestedValues, tryParseJson } from "../harness/json.ts";
import { replaceInput } from "../harness/mutate.ts";
import { fewTokens } from "../harness/scenarios.ts";
import type { Frames, Reply, Wire } from "../wire.ts";

/** A reply in the two forms that a request can ask for. */
export interface ScriptedReply {
  readonly frames: Frames;
  /** Absent if the protocol cannot send it as one JSON body. */
  readonly body?: string | undefined;
}

/** How the transfer of a reply ends. */
export interface Interruption {
  /** How many bytes are sent. */
  readonly length?: ((rendered: Rendered) => number) | undefined;
  readonly fault?: Answer["fault"];
}

/** Whether a request asks for a stream. */
export const asksForStream = (wire: Wire, request: Received): boolean =>
  wire.agent?.streams(request) ?? true;

/** The output cap of a request. */
export function requestedCap({ body }: Received): number | undefined {
  for (const value of nestedValues(tryParseJson(body))) {
    if (typeof value !== "object" || value === null) continue;
    for (const [key, inner] of Object.entries(value))
      if (typeof inner === "number" && isCapName(key)) return inner;
  }
  return undefined;
}
const isCapName = (key: string): boolean =>
  /^max(completion|output)?tokens$/.test(key.toLowerCase().replaceAll("_", ""));

export const toScriptedReply = (wire: Wire, reply: Reply): ScriptedReply => ({
  frames: wire.frames(reply),
  body: wire.whole?.(reply),
});

/** The reply that ends a conversation. */
export const finalReply = (wire: Wire): ScriptedReply =>
  toScriptedReply(wire, {
    blocks: [{ text: "All done." }],
    stop: wire.nativeStops.stop ?? "",
    output: fewTokens,
  });

/** The same reply with another text as the input. Returns `undefined` if the protocol does not send inputs as text. */
export function withOtherInput(
  { frames, body }: ScriptedReply,
  from: string,
  to: string,
): ScriptedReply | undefined {
  const other = replaceInput(frames, from, to);
  if (other === undefined) return undefined;
  const otherBody =
    body === undefined ? undefined : replaceInput({ upToTerminal: [body] }, from, to);
  return { frames: other, body: otherBody?.upToTerminal[0] };
}

const renderBody = (body: string): Rendered => {
  const bytes = utf8(body);
  return { bytes, completeLength: bytes.length, payloads: [body], edges: [0, bytes.length] };
};

/** The answer to a request, in the form that it asks for. */
export function renderAnswer(
  wire: Wire,
  request: Received,
  { frames, body, length, fault }: ScriptedReply & Interruption,
): Answer {
  const streamed = asksForStream(wire, request);
  if (!streamed && body === undefined)
    throw new Error(
      `The wire ${wire.name} cannot send this reply as one JSON body: give it \`whole\`.`,
    );
  const rendered = streamed ? render(frames) : renderBody(body ?? "");
  const bytes = rendered.bytes.subarray(0, length?.(rendered));
  return { chunks: [bytes], fault, ...(!streamed && { headers: jsonBody }) };
}
