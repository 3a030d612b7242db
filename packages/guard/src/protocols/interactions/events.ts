import { type Fields, fieldsOf, parseJson } from "@fullstop/core/adapter";
import { type Edit, eventText, type GrantedCall, listOf } from "../protocol.ts";

export const typeOf = (native: unknown): unknown => fieldsOf(native)["event_type"];
export const isCallStep = (step: unknown): boolean => fieldsOf(step)["type"] === "function_call";
/** The event that ends a reply. Clients that see a second one may run the calls again. */
export const endsInteraction = (native: unknown): boolean =>
  typeOf(native) === "interaction.completed";
/** The steps of an interaction in one piece. The last event of a stream may list them, too. */
export const stepsOf = (interaction: unknown): readonly unknown[] =>
  listOf(fieldsOf(interaction)["steps"]);

const statusEndings: Readonly<Record<Exclude<Edit["ending"], "keep">, string>> = {
  calls: "requires_action",
  length: "incomplete",
};
const finishedStatuses: ReadonlySet<unknown> = new Set(["completed", "requires_action"]);

/** The status of an interaction or of an update. One of a finished reply is never kept. */
export function withStatus(fields: Fields, ending: Edit["ending"]): Fields {
  const { status, continuation_token: _, ...rest } = fields;
  if (status === undefined || (ending === "keep" && !finishedStatuses.has(status))) return fields;
  const ends = statusEndings[ending === "keep" ? "length" : ending];
  return status === ends ? fields : { ...rest, status: ends };
}

/** A step that stands in place of calls, and the delta with which it arrives. */
interface NewStep {
  readonly step: Fields;
  readonly delta: Fields;
  /** The step in an interaction in one piece. */
  readonly whole: Fields;
}

export const newSteps = ({ calls, note }: Edit): readonly NewStep[] => [
  ...(note === undefined ? [] : [textStep(note)]),
  ...calls.map(callStep),
];

const textStep = (text: string): NewStep => ({
  step: { type: "model_output" },
  delta: { type: "text", text },
  whole: { type: "model_output", content: [{ type: "text", text }] },
});

function callStep({ id, name, inputText, providerData }: GrantedCall): NewStep {
  const json = inputText === "" ? "{}" : inputText;
  const step = {
    type: "function_call",
    id,
    name,
    ...(typeof providerData === "string" && { signature: providerData }),
  };
  return {
    step: { ...step, arguments: {} },
    delta: { type: "arguments_delta", arguments: json },
    whole: { ...step, arguments: parseJson(json) },
  };
}

export const stepText = ({ step, delta }: NewStep, index: number): string =>
  [
    { event_type: "step.start", index, step },
    { event_type: "step.delta", index, delta },
    { event_type: "step.stop", index },
  ]
    .map((event) => eventText(event, event.event_type))
    .join("");
