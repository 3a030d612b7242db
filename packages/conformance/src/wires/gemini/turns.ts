import { isObject } from "../../harness/json.ts";
import { type Fields, fields, holding, list } from "../fields.ts";

interface Turn {
  readonly role: string;
  readonly calls: readonly Fields[];
  readonly results: readonly Fields[];
  /** Whether something stands before the last of the results. */
  readonly mixed: boolean;
}

const has = (part: Fields, key: string): boolean => isObject(part[key]);

export const turnOf = ({ role, parts }: Fields): Turn => {
  const all = list(parts);
  const isResult = all.map((part) => has(part, "functionResponse"));
  return {
    role: String(role),
    calls: all.filter((part) => has(part, "functionCall")),
    results: all.filter((part) => has(part, "functionResponse")),
    mixed: isResult.includes(false) && isResult.lastIndexOf(true) > isResult.indexOf(false),
  };
};

const none: Turn = { role: "none", calls: [], results: [], mixed: false };

const namesOf = (parts: readonly Fields[], key: "functionCall" | "functionResponse"): string =>
  JSON.stringify(parts.map((part) => [fields(part[key])["name"], fields(part[key])["id"] ?? null]));

function ofPair(turn: Turn, before: Turn, n: number): readonly string[] {
  const count = turn.results.length;
  return holding({
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
      namesOf(before.calls, "functionCall") !== namesOf(turn.results, "functionResponse"),
    [`contents.${n}: a function call in a user's turn`]:
      turn.role === "user" && turn.calls.length > 0,
    [`contents.${n}: a function response in the model's turn`]: turn.role === "model" && count > 0,
  });
}

/** Gemini 3: each step since the user last spoke, the first of its calls. https://ai.google.dev/gemini-api/docs/thought-signatures */
function unsigned(turns: readonly Turn[]): readonly string[] {
  const spoken = turns.findLastIndex(
    ({ role, results }) => role === "user" && results.length === 0,
  );
  return turns.flatMap(({ calls: [first] }, n) => {
    if (n <= spoken || first === undefined || typeof first["thoughtSignature"] === "string")
      return [];
    const { name } = fields(first["functionCall"]);
    return [
      `Function call is missing a thought_signature in functionCall parts: default_api:${String(name)}, position ${n}.`,
    ];
  });
}

/** The rules between contents. */
export function ofTurns(turns: readonly Turn[]): readonly string[] {
  return [
    ...holding({
      "Please ensure that function call turn comes immediately after a user turn or after a function response turn.":
        turns[0]?.role === "model",
      "Please ensure that the conversation ends with a user turn or a function response turn.":
        turns.at(-1)?.role === "model",
    }),
    ...turns.flatMap((turn, n) => ofPair(turn, turns[n - 1] ?? none, n)),
    ...unsigned(turns),
  ];
}
