import { isObject } from "../../harness/json.ts";
import type { Violation } from "../../wire.ts";
import { type Fields, fieldsOf, listViolations, objectsIn } from "../shared.ts";

export interface GeminiTurn {
  /** The turn as the request holds it. */
  readonly content: Fields;
  readonly role: string;
  readonly calls: readonly Fields[];
  readonly results: readonly Fields[];
  /** Another part comes before the last result. */
  readonly mixed: boolean;
}

const hasObject = (part: Fields, key: string): boolean => isObject(part[key]);

export const toGeminiTurn = (content: Fields): GeminiTurn => {
  const { role, parts } = content;
  const all = objectsIn(parts);
  const isResult = all.map((part) => hasObject(part, "functionResponse"));
  return {
    content,
    role: String(role),
    calls: all.filter((part) => hasObject(part, "functionCall")),
    results: all.filter((part) => hasObject(part, "functionResponse")),
    mixed: isResult.includes(false) && isResult.lastIndexOf(true) > isResult.indexOf(false),
  };
};

const noTurn: GeminiTurn = { content: {}, role: "none", calls: [], results: [], mixed: false };

const describeNamesAndIds = (
  parts: readonly Fields[],
  key: "functionCall" | "functionResponse",
): string =>
  JSON.stringify(
    parts.map((part) => [fieldsOf(part[key])["name"], fieldsOf(part[key])["id"] ?? null]),
  );

function neighborTurnViolations(
  turn: GeminiTurn,
  before: GeminiTurn,
  index: number,
): readonly Violation[] {
  const count = turn.results.length;
  return listViolations(
    {
      "Please ensure that multiturn requests alternate between user and model.":
        turn.role === before.role,
      "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.":
        before.calls.length > 0 && count !== before.calls.length,
      "Please ensure that function response turn comes immediately after a function call turn.":
        count > 0 && before.calls.length === 0,
      [`contents.${index}: function responses come first in their turn`]: turn.mixed,
      [`contents.${index}: function responses must answer the calls in their order, by name and by the ids that the server gave`]:
        count > 0 &&
        count === before.calls.length &&
        describeNamesAndIds(before.calls, "functionCall") !==
          describeNamesAndIds(turn.results, "functionResponse"),
      [`contents.${index}: a function call in a user's turn`]:
        turn.role === "user" && turn.calls.length > 0,
      [`contents.${index}: a function response in the model's turn`]:
        turn.role === "model" && count > 0,
    },
    before === noTurn ? turn.content : [before.content, turn.content],
  );
}

/**
 * Gemini 3 needs a signature on the first call of each step since the last text of the user.
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
function missingSignatures(turns: readonly GeminiTurn[]): readonly Violation[] {
  const spoken = turns.findLastIndex(
    ({ role, results }) => role === "user" && results.length === 0,
  );
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

/** The broken rules about contents that belong together. */
export function geminiTurnsViolations(turns: readonly GeminiTurn[]): readonly Violation[] {
  return [
    ...listViolations(
      {
        "Please ensure that function call turn comes immediately after a user turn or after a function response turn.":
          turns[0]?.role === "model",
      },
      turns[0]?.content,
    ),
    ...listViolations(
      {
        "Please ensure that the conversation ends with a user turn or a function response turn.":
          turns.at(-1)?.role === "model",
      },
      turns.at(-1)?.content,
    ),
    ...turns.flatMap((turn, index) =>
      neighborTurnViolations(turn, turns[index - 1] ?? noTurn, index),
    ),
    ...missingSignatures(turns),
  ];
}
