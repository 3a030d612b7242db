import type { Turn } from "@fullstop/core";
import type { Question } from "../clause.ts";
import type { AssembledCall } from "../client.ts";
import { framingOf } from "../framing/index.ts";
import {
  chunks,
  commonPrefixLength,
  pieceSize,
  prefixLengths,
  type Rendered,
  render,
  renderBody,
  smallSample,
  utf8,
  waysFor,
} from "../harness/bytes.ts";
import { type Check, claimedStopOf, describeCall, withBytes } from "../harness/check.ts";
import { jsonBody } from "../harness/host.ts";
import { isObject, tryParseJson } from "../harness/json.ts";
import { type WordReply, wordReplies } from "../harness/word-replies.ts";
import type { Fixture, Wire } from "../wire.ts";
import type { GuardHarness } from "./harness.ts";
import { describeDifference, type LeftReading, type LeftReply } from "./left-reply.ts";

export const whyNoClient: NonNullable<Question<GuardHarness>["whyNotAsked"]> = ({ wire }) =>
  wire.client === undefined ? "the wire has no client" : undefined;

type ReplyBytes = Uint8Array<ArrayBuffer>;
const textOf = (bytes: ReplyBytes): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

/** A call on one line, if its input is JSON. */
const describeAssembled = ({ name, input, isText }: AssembledCall): string => {
  if (isText) return describeCall({ name, input: { text: input } });
  const value = tryParseJson(input.trim() === "" ? "{}" : input);
  return isObject(value) ? describeCall({ name, input: value }) : `${name} ${input}`;
};
export const describeCalls = (calls: readonly string[]): string =>
  calls.length === 0 ? "no call" : calls.join(" and ");
const grantedCalls = ({ calls }: Turn): string => describeCalls(calls.map(describeCall));
/** The calls that a naive client assembles, on one line. */
export const assembledCalls = ({ calls }: LeftReading): string =>
  describeCalls(calls.map(describeAssembled));

interface SentForm {
  readonly at: string;
  readonly bytes: ReplyBytes;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The stream as the vendor writes it and in one other style, and the JSON body. */
function* guardedForms(
  wire: Wire,
  { name, frames, body }: Fixture,
  number: number,
): Generator<SentForm> {
  const styles = Object.entries(framingOf(wire).styles);
  const [styleName, style] = styles[number % styles.length] ?? [];
  yield { at: name, bytes: render(wire, frames).bytes };
  yield { at: `${name}, ${styleName}`, bytes: render(wire, frames, style).bytes };
  if (body !== undefined)
    yield { at: `${name}, not streamed`, bytes: utf8(body), headers: jsonBody };
}

/**
 * Sends every reply of which nothing is withheld. It must leave the guard with the very bytes. If it
 * says its calls otherwise than they are granted, they must leave as they are granted.
 */
export async function* checkPasses(harness: GuardHarness): AsyncGenerator<Check> {
  for (const [number, reply] of harness.replies.entries())
    for (const [position, form] of [...guardedForms(harness.wire, reply, number)].entries())
      yield* checkPassing(harness, form, number + position);
}

async function* checkPassing(
  harness: GuardHarness,
  { at, bytes, headers }: SentForm,
  number: number,
): AsyncGenerator<Check> {
  const turn = await harness.readUnguarded({ chunks: [bytes], headers });
  const text = textOf(bytes);
  const reading = harness.readLeft(text);
  const hasCalls = reading.callParts.length > 0;
  const isFinished = turn.stopReason !== "interrupted" && turn.stopReason !== "aborted";
  if (turn.calls.length === 0 && (hasCalls || !isFinished)) return;
  const granted = grantedCalls(turn);
  const isOrderly = reading.flaws.length === 0 && granted === assembledCalls(reading);
  for (const smallest of waysFor([bytes.length, 7, 1], number, harness)) {
    const size = pieceSize(bytes, smallest, harness);
    const left = await harness.pass({ chunks: chunks(bytes, size), headers });
    const [expected, actual] =
      isOrderly || reading.isPartial
        ? [describeDifference(text, text), describeDifference(text, left.text)]
        : [granted, assembledCalls(harness.readLeft(left.text))];
    const suffix = left.isBroken ? ", and the connection broke" : "";
    yield withBytes(
      { at: `${at}, ${size} bytes at a time`, expected, actual: actual + suffix },
      bytes,
    );
  }
}

const answeringStops: ReadonlySet<string> = new Set(["stop", "tool-use", "pause"]);

interface CutReply {
  readonly text: string;
  readonly turn: Fixture["turn"];
  /** The terminal came. */
  readonly isComplete: boolean;
  /** The whole reply keeps the rules of the protocol. */
  readonly isSound: boolean;
}

const isFinishedEnd = (harness: GuardHarness, { stop }: LeftReading): boolean =>
  stop !== undefined && answeringStops.has(claimedStopOf(harness.wire, stop));

/** What is wrong with an end that the guard wrote. */
function* flawsOfEnd(
  left: LeftReply,
  reading: LeftReading,
  { isSound }: CutReply,
): Generator<string> {
  if (left.isBroken || left.status >= 400 || reading.failed) return;
  if (!reading.ended) yield "It has no end.";
  if (isSound) yield* reading.flaws;
}

/** The adapter does not know every kind of item that clients run: the end of the reply decides. */
const endsWithOtherItems = ({ stopReason }: Fixture["turn"], { isPartial }: LeftReading): boolean =>
  isPartial === true && (stopReason === "stop" || stopReason === "error");

function leakedParts(left: LeftReply, reading: LeftReading, cut: CutReply): ReadonlySet<string> {
  const { text, turn, isComplete } = cut;
  const isOther = left.text === text && endsWithOtherItems(turn, reading);
  const mayHaveCalls = isComplete && (turn.calls.length > 0 || isOther);
  return new Set(mayHaveCalls ? [] : reading.callParts);
}

/** What is wrong with what left the guard, one sentence each. */
function* problemsOf(harness: GuardHarness, left: LeftReply, cut: CutReply): Generator<string> {
  const { text, turn, isComplete } = cut;
  const reading = harness.readLeft(left.text);
  for (const part of leakedParts(left, reading, cut)) yield `A part of a call left: ${part}.`;
  const isUnchanged = left.text === text;
  // A reply that is complete and has no call leaves as it came, also with such a stop reason.
  const mayFinish = isComplete && (isUnchanged || answeringStops.has(turn.stopReason));
  if (!mayFinish && !reading.failed && isFinishedEnd(harness, reading))
    yield `It ends as "${reading.stop}".`;
  if (isUnchanged) return;
  for (const data of reading.unreadable) yield `It cannot be read: ${data.slice(0, 80)}`;
  yield* flawsOfEnd(left, reading, cut);
}

const nothingLeaked = "no part of a call, and an honest end";

function describeProblems(problems: Iterable<string>): string {
  const found = [...problems].join(" ");
  return found === "" ? nothingLeaked : found;
}

/**
 * Cuts every reply at every place, with a clean end and with a broken connection. A beginning that
 * several replies share is tried once.
 */
export async function* checkHolds(harness: GuardHarness): AsyncGenerator<Check> {
  const streams: ReplyBytes[] = [];
  const bodies: ReplyBytes[] = [];
  for (const reply of harness.replies) {
    const stream = render(harness.wire, reply.frames);
    yield await checkEarlyParts(harness, reply, stream);
    yield* checkCutForms(harness, reply, { at: reply.name, stream, tried: streams });
    if (reply.body === undefined) continue;
    const at = `${reply.name}, not streamed`;
    const body = renderBody(utf8(reply.body));
    yield* checkCutForms(harness, reply, { at, stream: body, headers: jsonBody, tried: bodies });
  }
  for (const reply of wordReplies(harness.wire)) yield* checkWordForms(harness, reply);
}

/** The host of a subject may end finished replies so: then the subject runs them without the guard. */
async function* checkWordForms(
  harness: GuardHarness,
  { name, frames, body, turn }: WordReply,
): AsyncGenerator<Check> {
  const forms: readonly SentForm[] = [
    ...(frames === undefined ? [] : [{ at: name, bytes: render(harness.wire, frames).bytes }]),
    ...(body === undefined
      ? []
      : [{ at: `${name}, not streamed`, bytes: utf8(body), headers: jsonBody }]),
  ];
  for (const { at, bytes: sent, headers } of forms) {
    const unguarded = await harness.readUnguarded({ chunks: [sent], headers });
    if (unguarded.calls.length > 0) continue;
    const left = await harness.pass({ chunks: [sent], headers });
    const text = textOf(sent);
    const isSound = harness.readLeft(text).flaws.length === 0;
    const actual = describeProblems(
      problemsOf(harness, left, { text, turn, isComplete: true, isSound }),
    );
    yield withBytes({ at, expected: nothingLeaked, actual }, sent);
  }
}

interface CutForm {
  readonly at: string;
  readonly stream: Rendered;
  readonly headers?: Readonly<Record<string, string>>;
  /** The beginnings of earlier replies. */
  readonly tried: ReplyBytes[];
}

async function* checkCutForms(
  harness: GuardHarness,
  { turn }: Fixture,
  { at, stream, headers, tried }: CutForm,
): AsyncGenerator<Check> {
  const { bytes, completeLength } = stream;
  const known = tried.length === 0 ? -1 : commonPrefixLength(bytes, tried);
  tried.push(bytes.subarray(0, completeLength - 1));
  const isSound = harness.readLeft(textOf(bytes)).flaws.length === 0;
  for (const [number, length] of prefixLengths(stream, harness).entries()) {
    if (length <= known) continue;
    const sent = bytes.subarray(0, length);
    const isComplete = length >= completeLength;
    const cut: CutReply = { text: textOf(sent), turn, isComplete, isSound };
    for (const fault of waysFor([undefined, "reset"] as const, tried.length + number, harness)) {
      const left = await harness.pass({ chunks: [sent], headers, fault });
      const how = fault === undefined ? "cut" : "reset";
      yield withBytes(
        {
          at: `${at}, ${how} after ${length} of ${completeLength} bytes`,
          expected: nothingLeaked,
          actual: describeProblems(problemsOf(harness, left, cut)),
        },
        sent,
      );
    }
  }
}

/** Sends a reply in small pieces: nothing of a call may leave before its terminal came. */
async function checkEarlyParts(
  harness: GuardHarness,
  { name }: Fixture,
  { bytes, completeLength }: Rendered,
): Promise<Check> {
  const size = pieceSize(bytes, smallSample(harness) === undefined ? 1 : 7, harness);
  let sent = 0;
  let early = "";
  const pieces = function* (): Generator<ReplyBytes> {
    for (; sent < bytes.length; sent += size) yield bytes.subarray(sent, sent + size);
  };
  await harness.pass({ chunks: pieces() }, (text) => {
    if (sent + size <= completeLength) early = text;
  });
  const parts = harness.readLeft(early).callParts.map((part) => `A part of a call left: ${part}.`);
  const actual = describeProblems(new Set(parts));
  return withBytes(
    { at: `${name}, ${size} bytes at a time`, expected: nothingLeaked, actual },
    bytes,
  );
}
