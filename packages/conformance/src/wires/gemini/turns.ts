import { isObject } from "../../harness/json.ts";
import type { Violation } from "../../wire.ts";
import { type Fields, fieldsOf, listDoubtful, listViolations, objectsIn } from "../shared.ts";

export interface GeminiTurn {
  /** The turn as the request holds it. */
  readonly content: Fields;
  /** The place of its first content among those of the request. */
  readonly index: number;
  readonly isModel: boolean;
  readonly calls: readonly Fields[];
  readonly results: readonly Fields[];
  /** Another part comes before the last result. */
  readonly mixed: boolean;
}

const hasObject = (part: Fields, key: string): boolean => isObject(part[key]);

export const toGeminiTurn = (content: Fields, index: number): GeminiTurn => {
  const { role, parts } = content;
  const all = objectsIn(parts);
  const isResult = all.map((part) => hasObject(part, "functionResponse"));
  return {
    content,
    index,
    isModel: role === "model",
    calls: all.filter((part) => hasObject(part, "functionCall")),
    results: all.filter((part) => hasObject(part, "functionResponse")),
    mixed: isResult.includes(false) && isResult.lastIndexOf(true) > isResult.indexOf(false),
  };
};

/**
 * The turns, with contents of the model that follow each other as one. Google's own automatic
 * calling sends each chunk of a streamed reply as a content of its own, and the API accepts that
 * (googleapis/python-genai#1982).
 */
const joinModelTurns = (turns: readonly GeminiTurn[]): readonly GeminiTurn[] => {
  const joined: GeminiTurn[] = [];
  for (const turn of turns) {
    const before = joined.at(-1);
    if (before?.isModel && turn.isModel)
      joined[joined.length - 1] = toGeminiTurn(
        {
          ...before.content,
          parts: [before, turn].flatMap(({ content }) => objectsIn(content["parts"])),
        },
        before.index,
      );
    else joined.push(turn);
  }
  return joined;
};

const namesIn = (parts: readonly Fields[], key: "functionCall" | "functionResponse"): string =>
  JSON.stringify(parts.map((part) => fieldsOf(part[key])["name"]));

const idsIn = (
  parts: readonly Fields[],
  key: "functionCall" | "functionResponse",
): readonly unknown[] =>
  parts.map((part) => fieldsOf(part[key])["id"]).filter((id) => id !== undefined && id !== null);

interface PlacedTurn {
  readonly turn: GeminiTurn;
  readonly before: GeminiTurn | undefined;
}

const contentsOf = ({ turn, before }: PlacedTurn): readonly Fields[] =>
  before === undefined ? [turn.content] : [before.content, turn.content];

/**
 * The API answers each of these with a 400. microsoft/vscode#299295, google-gemini/gemini-cli#16202
 */
function refusedPairs(placed: PlacedTurn): readonly Violation[] {
  const { turn, before } = placed;
  const calls = before?.calls.length ?? 0;
  const results = turn.results.length;
  return listViolations(contentsOf(placed), {
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.":
      calls > 0 && results !== calls,
    "Please ensure that function response turn comes immediately after a function call turn.":
      results > 0 && calls === 0,
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.":
      turn.calls.length > 0 && before === undefined,
  });
}

/**
 * Pairs that the documents show in one way only. The API's reference calls the id of a response
 * optional, "populated by the client to match": an absent one breaks no rule.
 * https://ai.google.dev/api/caching#FunctionResponse
 */
function doubtfulPairs(placed: PlacedTurn): readonly Violation[] {
  const { turn, before } = placed;
  const calls = before?.calls ?? [];
  const ids = idsIn(calls, "functionCall");
  const strays = idsIn(turn.results, "functionResponse").filter((id) => !ids.includes(id));
  return listDoubtful(contentsOf(placed), {
    [`contents.${turn.index}: function responses answer the calls in their order, by name`]:
      turn.results.length > 0 &&
      turn.results.length === calls.length &&
      namesIn(calls, "functionCall") !== namesIn(turn.results, "functionResponse"),
    [`contents.${turn.index}: no function call has the id ${strays.join(", ")}`]:
      ids.length > 0 && strays.length > 0,
  });
}

/**
 * An order of contents that the documents do not show. The sentence about alternating roles is the
 * API's own of 2023, and defects still quote it (earendil-works/pi#2251,
 * NousResearch/hermes-agent#55125).
 */
function doubtfulOrder(placed: PlacedTurn): readonly Violation[] {
  const { turn, before } = placed;
  return listDoubtful(contentsOf(placed), {
    "Please ensure that multiturn requests alternate between user and model.":
      turn.isModel === before?.isModel,
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.":
      turn.calls.length > 0 && before?.isModel === true,
    [`contents.${turn.index}: function responses come first in their turn`]: turn.mixed,
    [`contents.${turn.index}: a function call in a user's turn`]:
      !turn.isModel && turn.calls.length > 0,
    [`contents.${turn.index}: a function response in the model's turn`]:
      turn.isModel && turn.results.length > 0,
  });
}

/**
 * Gemini 3 needs a signature on the first call of each step since the last text of the user.
 * https://ai.google.dev/gemini-api/docs/thought-signatures, enricoros/big-AGI#1010
 */
export function missingSignatures(contents: readonly GeminiTurn[]): readonly Violation[] {
  const turns = joinModelTurns(contents);
  const spoken = turns.findLastIndex(({ isModel, results }) => !isModel && results.length === 0);
  return turns.flatMap(({ content, calls: [first] }, index) => {
    if (index <= spoken || first === undefined || typeof first["thoughtSignature"] === "string")
      return [];
    const { name } = fieldsOf(first["functionCall"]);
    return [
      {
        message: `Function call is missing a thought_signature in functionCall parts: default_api:${String(name)}, position ${index}.`,
        part: content,
      },
    ];
  });
}

const placeTurns = (turns: readonly GeminiTurn[]): readonly PlacedTurn[] =>
  turns.map((turn, index) => ({ turn, before: turns[index - 1] }));

/** The broken rules about contents that belong together. */
export function geminiTurnsViolations(turns: readonly GeminiTurn[]): readonly Violation[] {
  const last = turns.at(-1);
  const joined = placeTurns(joinModelTurns(turns));
  return [
    ...joined.flatMap(refusedPairs),
    ...joined.flatMap(doubtfulPairs),
    ...placeTurns(turns).flatMap(doubtfulOrder),
    ...listDoubtful(last?.content, {
      "Please ensure that the conversation ends with a user turn or a function response turn.":
        last?.isModel === true,
    }),
  ];
}
