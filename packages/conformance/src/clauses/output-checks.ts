import {
  type InputSchema,
  type ObjectReply,
  readObject as readSoundly,
  type Turn,
} from "@fullstop/core";
import { type Rendered, render, renderBody, utf8 } from "../harness/bytes.ts";
import { type Check, withBytes } from "../harness/check.ts";
import { type AskOptions, answerWith, type Harness, type Sent } from "../harness/harness.ts";
import { type Answer, jsonBody } from "../harness/host.ts";
import { isObject, tryParseJson } from "../harness/json.ts";
import {
  framesWithText,
  objectReply,
  objectScenarios,
  recordedObjects,
} from "../harness/objects.ts";
import {
  describeGiven,
  givesNothing,
  givesOut,
  type ObjectForm,
  objectForms,
} from "../harness/read-object.ts";
import type { AdapterSubject } from "../subject.ts";

/** A reply with an object, as bytes. */
export interface RenderedObject {
  readonly at: string;
  readonly rendered: Rendered;
  readonly headers?: Answer["headers"];
  /** What a reader makes of the whole reply. */
  readonly expected: string;
}

/** The replies with an object in this form: of the suite, streamed and not, and recorded ones. */
export function* renderObjects({ wire }: Harness, form: ObjectForm): Generator<RenderedObject> {
  for (const { name, value } of objectScenarios) {
    const reply = objectReply(wire, form, value);
    const at = `${name} as ${form}`;
    const expected = givesOut(value);
    yield { at, rendered: render(wire, wire.frames(reply)), expected };
    const body = wire.whole?.(reply);
    if (body !== undefined)
      yield {
        at: `${at}, not streamed`,
        rendered: renderBody(utf8(body)),
        headers: jsonBody,
        expected,
      };
  }
  if (form === "text") return;
  for (const { name, frames, value } of recordedObjects(wire)) {
    const expected = value === undefined ? givesNothing : givesOut(value);
    yield { at: `${name}, as ${form}`, rendered: render(wire, frames), expected };
  }
}

/** A reply with an object, and how it must be reported. */
interface ObjectCheck {
  readonly at: string;
  readonly sent: Sent;
  readonly expected: string;
  /** `describeGiven` by default. */
  readonly describe?: (reply: ObjectReply<unknown>) => string;
  readonly options?: Pick<AskOptions, "request" | "adapter"> | undefined;
}

/** Sends a reply, and compares what a reader makes of its object. */
export async function checkObject(
  harness: Harness,
  form: ObjectForm,
  { at, sent, expected, describe = describeGiven, options }: ObjectCheck,
): Promise<Check> {
  const { answer, bytes } = answerWith(harness.wire, sent);
  const actual = describe(await harness.readObject(answer, form, options));
  return withBytes({ at, expected, actual }, bytes);
}

/** A text in place of an object, and what a reader makes of it. */
export interface ObjectText {
  readonly text: string;
  readonly expected: string;
  /** What the text is, if it does not say so itself. */
  readonly name?: string;
}

/** Sends finished replies with these texts in place of their object. */
export async function* checkObjectTexts(
  harness: Harness,
  textsAs: (form: ObjectForm) => Iterable<ObjectText>,
): AsyncGenerator<Check> {
  for (const form of objectForms(harness.adapter)) {
    for (const { text, expected, name = text } of textsAs(form)) {
      const sent = framesWithText(harness.wire, form, text);
      if (sent !== undefined)
        yield checkObject(harness, form, { at: `${name} as ${form}`, sent, expected });
    }
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
