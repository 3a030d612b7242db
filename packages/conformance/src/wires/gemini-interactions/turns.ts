import { isObject } from "../../harness/json.ts";
import type { Violation } from "../../wire.ts";
import { type Fields, fieldsOf, listDoubtful, listViolations, objectsIn } from "../shared.ts";

/** Steps in a row that are all of the model, or all of the client. */
export interface StepTurn {
  readonly isModel: boolean;
  readonly steps: readonly Fields[];
}

/** A text is one step of the user. A list is of steps, or of contents of one. */
export function inputSteps(input: unknown): readonly Fields[] {
  const list = typeof input === "string" ? [{ type: "text", text: input }] : input;
  const items = Array.isArray(list) ? objectsIn(list) : [fieldsOf(list)];
  const contents: ReadonlySet<unknown> = new Set(["text", "image", "audio", "video", "document"]);
  return items.every(({ type }) => contents.has(type))
    ? [{ type: "user_input", content: items }]
    : items;
}

const clientSteps: ReadonlySet<unknown> = new Set(["user_input", "function_result"]);

export function toStepTurns(steps: readonly Fields[]): readonly StepTurn[] {
  const turns: { isModel: boolean; steps: Fields[] }[] = [];
  for (const step of steps) {
    const isModel = !clientSteps.has(step["type"]);
    const last = turns.at(-1);
    if (last?.isModel === isModel) last.steps.push(step);
    else turns.push({ isModel, steps: [step] });
  }
  return turns;
}

/** What is known about a request around its turns. */
interface TurnRules {
  /** The request does not add to an interaction that the API keeps. */
  readonly isWhole: boolean;
  /** Gemini 3 and later. */
  readonly needsSignatures: boolean;
}

const ofType = (turn: StepTurn | undefined, type: string): readonly Fields[] =>
  (turn?.steps ?? []).filter((step) => step["type"] === type);

/** The texts and media of a step, and those of a result that is a list. */
const stepContents = ({ content, result }: Fields): readonly Fields[] => [
  ...objectsIn(content),
  ...objectsIn(result),
];

/**
 * The API answers each of these with a 400. The SDK's types say which members a step needs; that a
 * result needs the name and a text must not be empty is what clients found.
 * robocurve/inspect-robots#380, AidenAI-IO/aiden-firmware#699
 */
function stepViolations(step: Fields): readonly Violation[] {
  const { type, id, name, arguments: args, call_id: of, result } = step;
  const isCall = type === "function_call";
  const isResult = type === "function_result";
  return listViolations(step, {
    "a step must have a type": typeof type !== "string",
    "Missing text in content of type text": stepContents(step).some(
      (content) => content["type"] === "text" && !content["text"],
    ),
    "a function call needs its id, its name and an object of arguments":
      isCall && !(typeof id === "string" && typeof name === "string" && isObject(args)),
    "a function result needs the id and the name of its call, and a result":
      isResult && !(typeof of === "string" && typeof name === "string" && result !== undefined),
    "a step of the user must have content":
      type === "user_input" && objectsIn(step["content"]).length === 0,
  });
}

const stepIds = (steps: readonly Fields[], key: "id" | "call_id"): readonly unknown[] =>
  steps.map((step) => step[key]);

/**
 * Each call has one result behind its reply. https://ai.google.dev/gemini-api/docs/function-calling
 * The SDK's type (`FunctionCallStep`) says that the id of a call is unique.
 */
function pairViolations(turn: StepTurn, before: StepTurn | undefined): readonly Violation[] {
  const calls = stepIds(ofType(before, "function_call"), "id");
  const results = stepIds(ofType(turn, "function_result"), "call_id");
  const isAnswered = calls.length === results.length && calls.every((id) => results.includes(id));
  const isOrdered = results.every((id, at) => calls.indexOf(id) === at);
  return [
    ...listViolations(turn.steps, {
      "each function call needs one function result behind it": !(
        turn.isModel ||
        isAnswered ||
        (before === undefined && results.length === 0)
      ),
      "two function calls have one id": new Set(calls).size !== calls.length,
    }),
    // A result says of which call it is. That the order matters is not written.
    ...listDoubtful(turn.steps, {
      "function results answer the calls in their order": isAnswered && !isOrdered,
    }),
  ];
}

/**
 * Thoughts go back as they came, signed. Before the calls of a reply Gemini 3 needs one.
 * https://ai.google.dev/gemini-api/docs/thought-signatures, AidenAI-IO/aiden-firmware#699,
 * allenhutchison/obsidian-gemini#1269
 */
function signatureViolations({ steps }: StepTurn): readonly Violation[] {
  const firstCall = steps.findIndex(({ type }) => type === "function_call");
  const isSigned = steps
    .slice(0, firstCall + 1)
    .some(({ signature }) => typeof signature === "string" && signature !== "");
  return listViolations(steps, {
    "Function call is missing a thought_signature": firstCall >= 0 && !isSigned,
    "Request contains an invalid argument: a reply begins with a thought without a signature":
      steps[0]?.["type"] === "thought" && typeof steps[0]["signature"] !== "string",
  });
}

/** The broken rules about steps, alone and together. */
export function turnViolations(
  turns: readonly StepTurn[],
  { isWhole, needsSignatures }: TurnRules,
): readonly Violation[] {
  const [first] = turns;
  const last = turns.at(-1);
  return [
    ...turns.flatMap(({ steps }) => steps).flatMap(stepViolations),
    ...(isWhole ? turns.flatMap((turn, at) => pairViolations(turn, turns[at - 1])) : []),
    ...(needsSignatures ? turns.filter(({ isModel }) => isModel).flatMap(signatureViolations) : []),
    ...listViolations(first?.steps, {
      "Please ensure that function call turn comes immediately after a user turn or after a function response turn.":
        isWhole && first?.isModel === true && ofType(first, "function_call").length > 0,
    }),
    ...listDoubtful(last?.steps, {
      "the input ends with a step of the model": last?.isModel === true,
    }),
  ];
}
