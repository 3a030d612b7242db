import { isObject } from "../../harness/json.ts";
import { type Fields, fieldsOf, listViolations, objectsIn } from "../fields.ts";

interface GeminiTurn {
  readonly role: string;
  readonly calls: readonly Fields[];
  readonly results: readonly Fields[];
  /** Another part comes before the last result. */
  readonly mixed: boolean;
}

const hasObject = (part: Fields, key: string): boolean => isObject(part[key]);

export const toGeminiTurn = ({ role, parts }: Fields): GeminiTurn => {
  const all = objectsIn(parts);
  const isResult = all.map((part) => hasObject(part, "functionResponse"));
  return {
    role: String(role),
    calls: all.filter((part) => hasObject(part, "functionCall")),
    results: all.filter((part) => hasObject(part, "functionResponse")),
    mixed: isResult.includes(false) && isResult.lastIndexOf(true) > isResult.indexOf(false),
  };
};

const noTurn: GeminiTurn = { role: "none", calls: [], results: [], mixed: false };

const describeIds = (parts: readonly Fields[], key: "functionCall" | "functionResponse"): string =>
  JSON.stringify(
    parts.map((part) => [fieldsOf(part[key])["name"], fieldsOf(part[key])["id"] ?? null]),
  );

function neighborTurnViolations(
  turn: GeminiTurn,
  before: GeminiTurn,
  n: number,
): readonly string[] {
  const count = turn.results.length;
  return listViolations({
    "Please ensure that multiturn requests alternate between user and model.":
      turn.role === before.role,
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.":
      before.calls.length > 0 && count !== before.calls.length,
    "Please ensure that function response turn comes immediately after a function call turn.":
      count > 0 && before.calls.length === 0,
    [`contents.${n}: function responses come first in their turn`]: turn.mixed,
    [`contents.${n}: function responses must answer the calls in their order, by name and by the ids that the server gave`]:
      count > 0 &&
      count === before.calls.length &&
      describeIds(before.calls, "functionCall") !== describeIds(turn.results, "functionResponse"),
    [`contents.${n}: a function call in a user's turn`]:
      turn.role === "user" && turn.calls.length > 0,
    [`contents.${n}: a function response in the model's turn`]: turn.role === "model" && count > 0,
  });
}

/** Gemini 3 needs a signature on the first call of each step since the last text of the user. https://ai.google.dev/gemini-api/docs/thought-signatures */
function missingSignatures(turns: readonly GeminiTurn[]): readonly string[] {
  const spoken = turns.findLastIndex(
    ({ role, results }) => role === "user" && results.length === 0,
  );
  return turns.flatMap(({ calls: [first] }, n) => {
    if (n <= spoken || first === undefined || typeof first["thoughtSignature"] === "string")
      return [];
    const { name } = fieldsOf(first["functionCall"]);
    return [
      `Function call is missing a thought_signature in functionCall parts: default_api:${String(name)}, position ${n}.`,
    ];
  });
}

/** The broken rules about contents that belong together. */
export function geminiTurnsViolations(turns: readonly GeminiTurn[]): readonly string[] {
  return [
    ...listViolations({
      "Please ensure that function call turn comes immediately after a user turn or after a function response turn.":
        turns[0]?.role === "model",
      "Please ensure that the conversation ends with a user turn or a function response turn.":
        turns.at(-1)?.role === "model",
    }),
    ...turns.flatMap((turn, n) => neighborTurnViolations(turn, turns[n - 1] ?? noTurn, n)),
    ...missingSignatures(turns),
  ];
}
