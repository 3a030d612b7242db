import type { ToolCall } from "@fullstop/core";
import { expect, test } from "vitest";
import { alterTurn, changeTurns, runWithheld } from "../../src/clauses/mutants.ts";
import { judge, type LoopSubject, report, type Subject, type Verdict } from "../../src/index.ts";
import { smallLoop } from "../../src/loop/small-loop.ts";
import { sound } from "../sound.ts";
import { chatLoop, messageOf, type Reply } from "./small-loops.ts";

async function verdictOf(subject: Subject, only: string): Promise<Verdict> {
  for await (const verdict of judge(subject, { only })) return verdict;
  throw new Error(`no verdict on ${only}`);
}
const brokenIds = ({ broken }: Verdict): readonly (string | undefined)[] =>
  broken.map(({ id }) => id);

/** A loop over Chat Completions that does not stream. It is careful but for its fault. */
interface Fault {
  /** Whether the calls of a reply run that must not. */
  readonly runs?: (reply: Reply) => boolean;
  /** How many calls of a reply run at most. The results of the others are made up. */
  readonly most?: number;
  /** Changes the text of an input. */
  readonly change?: (text: string) => string;
}

interface ChatCall {
  readonly id: string;
  readonly function: { readonly arguments: string };
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

function careful({ runs = () => false, most = 99, change = (text) => text }: Fault): LoopSubject {
  return chatLoop((reply) => {
    const message = messageOf(reply);
    const calls = (message["tool_calls"] ?? []) as readonly ChatCall[];
    const isFinished = reply.stop === "tool_calls" || reply.stop === "stop";
    const isRefused = typeof message["refusal"] === "string";
    if (calls.length === 0 || isRefused || !(isFinished || runs(reply))) return undefined;
    const inputs = calls.map((call) => parse(change(call.function.arguments)));
    if (inputs.includes(undefined)) return undefined;
    return [
      message,
      ...calls.map(({ id }, index) => ({
        role: "tool",
        tool_call_id: id,
        content: index < most ? reply.run(inputs[index]) : "Wrote it.",
      })),
    ];
  });
}

const outputOf = ({ body }: Reply): number =>
  Number((body["usage"] as Readonly<Record<string, unknown>>)["completion_tokens"]);

test.for<[string, Fault, clause: string, ids: readonly string[]]>([
  [
    "runs calls under `length` if the usage is below the cap",
    { runs: (reply) => reply.stop === "length" && outputOf(reply) < 1024 },
    "stop.words",
    ["length-small-usage"],
  ],
  [
    "does not run a third parallel call, and makes its result up",
    { most: 2 },
    "stop.whole",
    ["three-calls"],
  ],
  [
    "cuts the content of long inputs",
    { change: (text) => (text.length > 400 ? `${text.slice(0, 400)}"}` : text) },
    "stop.whole",
    ["long-input"],
  ],
  [
    "closes long inputs that were cut",
    { change: (text) => (text.length > 400 && parse(text) === undefined ? `${text}"}` : text) },
    "call.cut-input",
    ["long-cut"],
  ],
  [
    "runs calls without a stop reason",
    { runs: ({ stop }) => stop === "null" },
    "stop.no-word",
    ["missing-stop"],
  ],
  [
    "runs calls under a stop reason that it does not know",
    { runs: ({ stop }) => !["null", "", "length", "content_filter"].includes(stop) },
    "stop.unknown-word",
    ["unknown-stop"],
  ],
])("whole replies: a loop that %s is caught", async ([, fault, clause, ids]) => {
  const kept = await verdictOf(careful({}), clause);
  expect(kept.status, report(kept)).toBe("kept");
  const verdict = await verdictOf(careful(fault), clause);
  expect(brokenIds(verdict), report(verdict)).toEqual(ids);
});

const shortened = (call: ToolCall): unknown => {
  const { content } = call.input as { readonly content?: unknown };
  return typeof content === "string" && content.length > 400
    ? { ...call, input: { ...(call.input as object), content: content.slice(0, 400) } }
    : call;
};

test.for(
  sound.flatMap((one) =>
    [
      [
        "runs calls under the stop reason of the cap if the usage is below it",
        "stop.words",
        "small-usage",
        changeTurns((turn) =>
          ["length", "context-window"].includes(turn.stopReason) && (turn.usage.output ?? 0) < 100
            ? runWithheld(turn)
            : turn,
        ),
      ],
      [
        "cuts the content of long inputs",
        "stop.whole",
        "long-input",
        changeTurns((turn) => alterTurn(turn, { calls: turn.calls.map(shortened) })),
      ],
      [
        "does not run a third parallel call",
        "stop.whole",
        "three-calls",
        changeTurns((turn) => alterTurn(turn, { calls: turn.calls.slice(0, 2) })),
      ],
    ].map(([name, clause, id, fault]) => ({ wire: one.wire.name, name, clause, id, fault, one })),
  ),
)("streams of $wire: a loop that $name is caught", async ({ clause, id, fault, one }) => {
  const breaks = fault as ReturnType<typeof changeTurns>;
  const verdict = await verdictOf(smallLoop(breaks(one)), String(clause));
  expect(brokenIds(verdict).join(), report(verdict)).toContain(id);
  expect(report(verdict)).not.toMatch(/[a-j]{3000}/);
});
