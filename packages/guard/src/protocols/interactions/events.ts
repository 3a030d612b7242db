import { type Fields, fieldsOf, parseJson } from "@fullstop/core/adapter";
import type { NewBlock } from "../numbering.ts";
import { type Edit, type GrantedCall, listOf } from "../protocol.ts";

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

export const newSteps = ({ calls, note }: Pick<Edit, "calls" | "note">): readonly NewBlock[] => [
  ...(note === undefined ? [] : [textStep(note)]),
  ...calls.map(callStep),
];

const textStep = (text: string): NewBlock => ({
  start: { type: "model_output" },
  delta: { type: "text", text },
  whole: { type: "model_output", content: [{ type: "text", text }] },
});

function callStep({ id, name, inputText, providerData }: GrantedCall): NewBlock {
  const json = inputText === "" ? "{}" : inputText;
  const step = {
    type: "function_call",
    id,
    name,
    ...(typeof providerData === "string" && { signature: providerData }),
  };
  return {
    start: { ...step, arguments: {} },
    delta: { type: "arguments_delta", arguments: json },
    whole: { ...step, arguments: parseJson(json) },
  };
}
