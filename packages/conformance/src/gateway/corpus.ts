import { crlfStyle } from "../framing/sse.ts";
import { type Rendered, render, utf8 } from "../harness/bytes.ts";
import { type Answer, eventStream, jsonBody } from "../harness/host.ts";
import { memoize } from "../harness/json.ts";
import { readCall } from "../harness/scenarios.ts";
import { withOtherInput } from "../loop/script.ts";
import type { WireName } from "../replay/builtin.ts";
import type { Frames, InBandError } from "../wire.ts";
import { wires } from "../wires/index.ts";
import { exchangesOf, type PlayedKind, type ReplyForms } from "./exchanges.ts";

/** A reply that upstream plays. */
export interface PlayedReply {
  /** `anthropic/one-call-length`, or `…/whole` if it does not stream. Stays the same. */
  readonly id: string;
  /** A sentence or a phrase that names it. */
  readonly name: string;
  readonly kind: PlayedKind;
  readonly streams: boolean;
  readonly status: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly answer: Answer;
}

/** The events as the vendor writes them: Gemini ends lines with CRLF. */
const renderAs = (protocol: WireName, frames: Frames): Rendered =>
  render({}, frames, protocol === "gemini" ? crlfStyle : undefined);

/** The bytes of each event, so that the server sends them one after the other. */
const eventChunks = ({ bytes, edges }: Rendered): readonly Uint8Array<ArrayBuffer>[] =>
  edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));

interface StreamToPlay extends Pick<PlayedReply, "id" | "name" | "kind"> {
  readonly rendered: Rendered;
  /** How many bytes are sent; all by default. */
  readonly length?: number;
  readonly fault?: Answer["fault"];
}

function playStream({ rendered, length, fault, ...about }: StreamToPlay): PlayedReply {
  const end = length ?? rendered.bytes.length;
  let left = end;
  const chunks = eventChunks(rendered).flatMap((chunk) => {
    const taken = chunk.subarray(0, Math.max(0, left));
    left -= chunk.length;
    return taken.length === 0 ? [] : [taken];
  });
  const answer = { headers: eventStream, chunks, fault };
  return { ...about, streams: true, status: 200, bytes: rendered.bytes.subarray(0, end), answer };
}

interface BodyToPlay extends Pick<PlayedReply, "id" | "name" | "kind"> {
  readonly body: string;
  readonly status?: number;
  readonly fault?: Answer["fault"];
}

export function playBody({ body, status = 200, fault, ...about }: BodyToPlay): PlayedReply {
  const bytes = utf8(body);
  const answer = { status, headers: jsonBody, chunks: [bytes], fault };
  return { ...about, streams: false, status, bytes, answer };
}

const playExchange = (
  protocol: WireName,
  { file, name, kind, frames, body }: ReplyForms,
): readonly PlayedReply[] => {
  const id = `${protocol}/${file}`;
  return [
    playStream({ id, name, kind, rendered: renderAs(protocol, frames) }),
    ...(body === undefined
      ? []
      : [playBody({ id: `${id}/whole`, name: `${name}, not streamed`, kind, body })]),
  ];
};

/** The call of a finished reply, with the beginning of its input as the whole. */
function invalidReplies(protocol: WireName, { frames, body }: ReplyForms): readonly PlayedReply[] {
  const input = JSON.stringify(readCall.input);
  const whole = { frames, body };
  const changed = withOtherInput(whole, input, input.slice(0, Math.floor(input.length / 2)));
  return changed === undefined
    ? []
    : playExchange(protocol, {
        ...changed,
        file: "invalid-input",
        name: "one call with a part of its input as the whole, under the stop reason of calls",
        kind: "invalid",
      });
}

const cutShapes = ["text-only", "one-call", "text-and-a-call", "two-parallel-calls"];

/** The faults that end a reply too early, and how their names read. */
const cutFaults: Readonly<Record<string, Answer["fault"]>> = { ends: undefined, resets: "reset" };

/** Where a stream is cut: after its start, in an event, between two events, before its terminal. */
function cutLengths({ edges }: Rendered, terminal: number): readonly number[] {
  const middle = Math.floor(terminal / 2);
  const from = edges[middle] ?? 0;
  const inside = Math.floor((from + (edges[middle + 1] ?? from)) / 2);
  return [...new Set([edges[1] ?? 0, from, inside, edges[terminal - 1] ?? 0])];
}

function cutExchange(
  protocol: WireName,
  { file, name, frames, body }: ReplyForms,
): readonly PlayedReply[] {
  const rendered = renderAs(protocol, frames);
  return Object.entries(cutFaults).flatMap(([how, fault]) => {
    const streams = cutLengths(rendered, frames.upToTerminal.length).map((length) =>
      playStream({
        id: `${protocol}/${file}/${how}-after-${length}`,
        name: `${name}, whose connection ${how} after ${length} of ${rendered.bytes.length} bytes`,
        kind: "cut",
        rendered,
        length,
        fault,
      }),
    );
    if (body === undefined) return streams;
    const length = Math.floor(body.length * 0.7);
    const whole = playBody({
      id: `${protocol}/${file}/whole/${how}-after-${length}`,
      name: `${name}, not streamed, whose connection ${how} after ${length} characters`,
      kind: "cut",
      body: body.slice(0, length),
      fault,
    });
    return [...streams, whole];
  });
}

/** Each error in the middle of a reply, and the first also in place of its terminal. */
function errorReplies(
  protocol: WireName,
  { file, name, frames }: ReplyForms,
): readonly PlayedReply[] {
  const errors = wires[protocol].errors ?? [];
  const { length } = frames.upToTerminal;
  const replyWith = (id: string, at: number, { frame, kind }: InBandError): PlayedReply =>
    playStream({
      id: `${protocol}/${file}/${id}`,
      name: `${name}, then an error (${kind}) after ${at} of ${length} events`,
      kind: "error",
      rendered: renderAs(protocol, { upToTerminal: [...frames.upToTerminal.slice(0, at), frame] }),
    });
  return [
    ...errors.map((error, index) => replyWith(`error-${index + 1}`, Math.floor(length / 2), error)),
    ...errors.slice(0, 1).map((error) => replyWith("late-error", length - 1, error)),
  ];
}

const statusReplies = (protocol: WireName): readonly PlayedReply[] =>
  (wires[protocol].failures ?? []).map(({ status, body, kind }, index) => ({
    ...playBody({
      id: `${protocol}/status-${status}-${index + 1}`,
      name: `the status ${status} (${kind})`,
      kind: "status",
      body,
      status,
    }),
    streams: true,
  }));

/** Everything that upstream plays in a protocol. Failures come last. */
export const playedReplies: (protocol: WireName) => readonly PlayedReply[] = memoize((protocol) => {
  const exchanges = exchangesOf(protocol);
  const cut = exchanges.filter(({ file }) => cutShapes.includes(file));
  const failing = exchanges.filter(({ file }) => file === "text-only" || file === "one-call");
  return [
    ...exchanges.flatMap((exchange) => playExchange(protocol, exchange)),
    ...cut
      .filter(({ file }) => file === "one-call")
      .flatMap((exchange) => invalidReplies(protocol, exchange)),
    ...cut.flatMap((exchange) => cutExchange(protocol, exchange)),
    ...failing.flatMap((exchange) => errorReplies(protocol, exchange)),
    ...statusReplies(protocol),
  ];
});

/** A short text, or two parallel calls: the reply to a request whose way to upstream is looked at. */
export function simpleReply(protocol: WireName, withCalls: boolean): PlayedReply {
  const file = withCalls ? "two-parallel-calls" : "text-only";
  const found = playedReplies(protocol).find(({ id }) => id === `${protocol}/${file}`);
  if (found === undefined) throw new Error(`The wire ${protocol} has no reply "${file}".`);
  return found;
}
