import type { ReviewedCall } from "@fullstop/loop";

/** A person's answer about a call that waits. `text` is a result, an answer or a reason. */
export interface Answer {
  readonly choice: string;
  readonly text: string;
}

interface Choice {
  readonly value: string;
  readonly label: string;
  /** What the text field asks for. Undefined: the choice needs no text. */
  readonly asks?: string;
}

/** What a person may say about a call, by what it needs. The first one is chosen at first. */
export const choicesFor: Readonly<Record<ReviewedCall["needs"], readonly Choice[]>> = {
  settlement: [
    { value: "result", label: "It happened", asks: "The result that the model gets" },
    { value: "did-not-happen", label: "It did not happen: run it now" },
    { value: "unknown", label: "Unknown: ask the model to check" },
  ],
  decision: [
    { value: "allow", label: "Allow it" },
    { value: "deny", label: "Deny it", asks: "The reason that the model gets" },
  ],
  result: [{ value: "result", label: "Answer the call", asks: "The result that the model gets" }],
  input: [{ value: "input", label: "Answer the tool", asks: "The answer" }],
};

export const needWords: Readonly<Record<ReviewedCall["needs"], string>> = {
  settlement: "It had started, and its result is not recorded. What became of it?",
  decision: "May it run?",
  result: "The tool has no `execute`, so you answer the call.",
  input: "The tool asks a person.",
};

const fields: Readonly<Record<ReviewedCall["needs"], string>> = {
  settlement: "settlements",
  decision: "decisions",
  result: "results",
  input: "inputs",
};

/** A literal of JavaScript. Characters that cannot be seen are escaped, so it can be reviewed. */
export const toLiteral = (value: unknown): string =>
  (JSON.stringify(value) ?? "undefined").replaceAll(
    /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/gu,
    (found) =>
      Array.from(
        { length: found.length },
        (_, index) => `\\u${found.charCodeAt(index).toString(16).padStart(4, "0")}`,
      ).join(""),
  );

/** JSON stays a value; other text becomes a string. */
function literalValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function answerCode({ needs }: ReviewedCall, { choice, text }: Answer): string {
  if (needs === "decision") {
    if (choice === "allow") return "true";
    return text.trim() === "" ? "false" : `{ deny: ${toLiteral(text)} }`;
  }
  if (needs === "settlement") {
    return choice === "result" ? `{ result: ${toLiteral(literalValue(text))} }` : toLiteral(choice);
  }
  return toLiteral(literalValue(text));
}

interface Answered {
  readonly call: ReviewedCall;
  readonly answer: Answer;
}

/** The options that continue a run that waits, with these answers. */
export function settleCode(runId: string, answers: readonly Answered[]): string {
  const byField = Map.groupBy(answers, ({ call }) => fields[call.needs]);
  const needsJournal = answers.some(({ call }) => journalNeeds.has(call.needs));
  const lines = [...byField].flatMap(([field, entries]) => [
    `    ${field}: {`,
    ...entries.map(
      ({ call, answer }) => `      ${toLiteral(call.id)}: ${answerCode(call, answer)},`,
    ),
    "    },",
  ]);
  return [
    "run({",
    "  ...options, // the same as before",
    ...(needsJournal
      ? [`  journal: { store, runId: ${toLiteral(runId)} },`, "  waiting: {"]
      : [
          "  // With a journal: `journal` and its `runId` instead of `messages` and `turn`.",
          "  messages: outcome.messages,",
          "  waiting: {",
          "    turn: outcome.turn,",
        ]),
    ...lines,
    "  },",
    "});",
  ].join("\n");
}
const journalNeeds: ReadonlySet<ReviewedCall["needs"]> = new Set(["settlement", "input"]);
