import {
  type InputSchema,
  type ObjectReply,
  readObject as readSoundly,
  type Turn,
} from "@fullstop/core";
import type { Question } from "../clause.ts";
import { type Rendered, render, renderBody, utf8 } from "../harness/bytes.ts";
import { withBytes } from "../harness/check.ts";
import { type AskOptions, answerWith, type Harness, type Sent } from "../harness/harness.ts";
import { isObject, tryParseJson } from "../harness/json.ts";
import {
  finishedObjectReply,
  objectReply,
  objectScenarios,
  recordedObjects,
  replyWithText,
} from "../harness/objects.ts";
import {
  describeGiven,
  givesNothing,
  givesOut,
  type ObjectForm,
  objectForms,
} from "../harness/read-object.ts";
import { inOnePiece, lackOfWays, type WrittenReply, waysOf } from "../harness/ways.ts";
import type { AdapterSubject } from "../subject.ts";
import type { Reply } from "../wire.ts";

export interface AskedForObject extends Harness {
  readonly form: ObjectForm;
}

/** A reply to a request for an object, and what a reader makes of it. */
export interface ObjectCase {
  readonly at: string;
  /** `undefined` if the protocol cannot send it. */
  readonly sent: Sent | WrittenReply | undefined;
  /** `givesNothing` by default. */
  readonly expected?: string;
  /** `describeGiven` by default. */
  readonly describe?: (reply: ObjectReply<unknown>) => string;
  readonly options?: Pick<AskOptions, "request" | "adapter">;
}

/** Asks for an object in each form that the adapter has, and sends the replies. */
export const askForObjects = (
  casesOf: (asked: AskedForObject) => Iterable<ObjectCase>,
): Question<Harness>["check"] =>
  async function* (harness) {
    for (const form of objectForms(harness.adapter)) {
      for (const one of casesOf({ ...harness, form })) {
        const { at, sent, expected = givesNothing, describe = describeGiven, options } = one;
        for (const [suffix, written] of waysOfCase(harness, sent)) {
          const { answer, bytes } = answerWith(harness.wire, written);
          const actual = describe(await harness.readObject(answer, form, options));
          yield withBytes({ at: `${at} as ${form}${suffix}`, expected, actual }, bytes);
        }
      }
    }
    yield* lackOfWays(harness);
  };

function* waysOfCase(harness: Harness, sent: ObjectCase["sent"]): ReturnType<typeof waysOf> {
  if (sent === undefined) return;
  if ("blocks" in sent || "body" in sent) yield* waysOf(harness, sent);
  else yield ["", sent];
}

/** A finished reply with this text in place of its object. */
export const textCase = (
  { wire, form }: AskedForObject,
  text: string,
  more: Partial<ObjectCase> = {},
): ObjectCase => ({ at: text, sent: replyWithText(wire, form, text), ...more });

/** A finished reply with blocks of its own. */
export const blocksCase = (
  { wire, form }: AskedForObject,
  at: string,
  blocks: Reply["blocks"],
): ObjectCase => ({ at, sent: finishedObjectReply(wire, form, blocks) });

interface RenderedObject {
  readonly at: string;
  readonly rendered: Rendered;
  readonly isWhole?: true;
  /** What a reader makes of the whole reply. */
  readonly expected: string;
}

/** The replies with an object in this form: of the suite, streamed and not, and recorded ones. */
export function* renderObjects({ wire, form }: AskedForObject): Generator<RenderedObject> {
  for (const { name, value } of objectScenarios) {
    const reply = objectReply(wire, form, value);
    const expected = givesOut(value);
    yield { at: name, rendered: render(wire, wire.frames(reply)), expected };
    const body = wire.whole?.(reply);
    if (body === undefined) continue;
    const rendered = renderBody(utf8(body));
    yield { at: `${name}${inOnePiece},`, rendered, isWhole: true, expected };
  }
  if (form === "text") return;
  for (const { name, frames, value } of recordedObjects(wire)) {
    const expected = value === undefined ? givesNothing : givesOut(value);
    yield { at: `${name},`, rendered: render(wire, frames), expected };
  }
}

type ReadObject = ObjectReply<unknown>;
type BreakObjects = (sound: AdapterSubject) => AdapterSubject;

/** Changes what a subject makes of the replies to requests for an object. */
export const changeObjects =
  (change: (reply: ReadObject) => ReadObject): BreakObjects =>
  (sound) => ({
    ...sound,
    readObject: async <Value>(
      ...[adapter, request, schema, options]: Parameters<typeof readSoundly<Value>>
    ): Promise<ObjectReply<Value>> => {
      const read = sound.readObject ?? readSoundly;
      const reply = await read(adapter, request, schema as InputSchema<object, unknown>, options);
      return change(reply) as ObjectReply<Value>;
    },
  });

/** The text of a reply's object, as far as it came: in a call, or in its text. */
export const objectTextOf = ({ calls, withheld, text }: Turn): string => {
  const [call] = calls;
  return call === undefined ? (withheld[0]?.inputText ?? text) : JSON.stringify(call.input);
};

export function parseObject(text = ""): object | undefined {
  const value = tryParseJson(text);
  return isObject(value) ? value : undefined;
}

const ends = ["", "}", '"}', "]}", '"]}', "null}", '":null}', "}}", "]}}", '"}}'];

/** The object of a reader that closes the brackets of what came. */
export const closeBrackets = ({ turn }: ReadObject): unknown =>
  ends.map((end) => parseObject(objectTextOf(turn) + end)).find((value) => value !== undefined);

/** Gives out what `find` finds in a reply: by default the object that its text is. */
export const takeObject = (
  takes: (reply: ReadObject) => boolean,
  find: (reply: ReadObject) => unknown = ({ turn }) => parseObject(objectTextOf(turn)),
): BreakObjects =>
  changeObjects((reply) => {
    const value = takes(reply) ? find(reply) : undefined;
    return value === undefined ? reply : { status: "done", value, turn: reply.turn };
  });

export const isUnfinished = ({ status }: ReadObject): boolean => status === "unfinished";
export const isNotGiven = ({ status }: ReadObject): boolean => status !== "done";
