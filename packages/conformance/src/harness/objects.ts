import { outputToolName } from "@fullstop/core/adapter";
import type { Frames, Reply, ReplyCall, Wire } from "../wire.ts";
import type { Harness } from "./harness.ts";
import { mapFrames, withInputText } from "./mutate.ts";
import { type ObjectForm, objectForms } from "./read-object.ts";
import {
  escapedInput,
  fewTokens,
  largeInput,
  nativeStopForCalls,
  nestedInput,
  unicodeInput,
} from "./scenarios.ts";
import { type WrittenReply, writeReply } from "./ways.ts";

export interface ObjectScenario {
  readonly name: string;
  readonly value: object;
}

/** Its members are optional in the schema of the suite, so each beginning may satisfy it. */
export const flatObject: ObjectScenario = {
  name: "a flat object",
  value: { title: "Order 7", notes: ["warfarin", "10 mg"], author: null, of: { "a}": [] } },
};

export const objectScenarios: readonly ObjectScenario[] = [
  flatObject,
  { name: "an empty object", value: {} },
  { name: "a nested object", value: nestedInput },
  { name: "characters of two to four bytes", value: unicodeInput },
  { name: "escapes, and JSON inside a string", value: escapedInput },
  { name: "an object of some KiB", value: largeInput },
];

/** How a reply with an object ends. By default it is finished, far below the cap. */
export type ObjectEnd = Partial<Pick<Reply, "stop" | "output">>;

export const objectCall = (value: object, id = "call_output_1"): ReplyCall => ({
  name: outputToolName,
  id,
  input: value,
});

/** The native stop reason of a finished reply with an object in this form. */
const finishedStop = (wire: Wire, form: ObjectForm): string =>
  (form === "text" ? wire.nativeStops.stop : nativeStopForCalls(wire)) ?? "";

export const objectReply = (
  wire: Wire,
  form: ObjectForm,
  value: object,
  end: ObjectEnd = {},
): Reply => ({
  blocks: [form === "text" ? { text: JSON.stringify(value) } : objectCall(value)],
  stop: finishedStop(wire, form),
  output: fewTokens,
  ...end,
});

export const finishedObjectReply = (
  wire: Wire,
  form: ObjectForm,
  blocks: Reply["blocks"],
): Reply => ({ blocks, stop: finishedStop(wire, form), output: fewTokens });

/** Long enough for wires to send it in several pieces. */
const placeholder = { title: "The text of another object stands here, in pieces." };

/** A finished reply with this text as its object. `undefined` if inputs are not sent as text. */
export const replyWithText = (
  wire: Wire,
  form: ObjectForm,
  text: string,
): WrittenReply | undefined =>
  form === "text"
    ? writeReply(wire, finishedObjectReply(wire, form, [{ text }]))
    : withInputText({ wire }, [objectCall(placeholder)], text);

export interface RecordedObject {
  readonly name: string;
  readonly frames: Frames;
  /** The object, if the reply gives one. */
  readonly value: object | undefined;
}

/** The recorded replies with calls. Their tools get the name of the tool for an object. */
export const recordedObjects = ({ fixtures = [] }: Wire): readonly RecordedObject[] =>
  fixtures.flatMap(({ name, frames, turn }) => {
    const { calls, withheld = [] } = turn;
    // What an empty input means depends on the members that its tool takes.
    const isEmpty = calls.some(({ input }) => Object.keys(input).length === 0);
    if (isEmpty || withheld.some(({ reason }) => reason === "input-missing")) return [];
    const renamed = renameTools(
      frames,
      [...calls, ...withheld].flatMap((call) => call.name ?? []),
    );
    return renamed === undefined
      ? []
      : [{ name, frames: renamed, value: calls.length === 1 ? calls[0]?.input : undefined }];
  });

/** `undefined` if the reply calls no tool, or if the frames do not hold its name in one piece. */
function renameTools(frames: Frames, names: readonly string[]): Frames | undefined {
  const texts = [...new Set(names)].map((name) => JSON.stringify(name));
  const all = [...frames.upToTerminal, ...(frames.after ?? [])].join("\n");
  if (texts.length === 0 || texts.some((text) => !all.includes(text))) return undefined;
  const rename = (payload: string): string =>
    texts.reduce((to, text) => to.replaceAll(text, JSON.stringify(outputToolName)), payload);
  return mapFrames(frames, rename);
}

export const whyNoFormat = ({ adapter }: Harness): string | undefined =>
  objectForms(adapter).includes("text")
    ? undefined
    : "the adapter has no `outputFormat`, so the object is the input of a tool";

export const whyNoObjectText = ({ adapter, wire }: Harness): string | undefined =>
  objectForms(adapter).some((form) => replyWithText(wire, form, "{}") !== undefined)
    ? undefined
    : "the adapter has no `outputFormat`, and the wire sends inputs as JSON, not as text";
