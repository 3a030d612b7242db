import { type Turn, validateHistory } from "@fullstop/core";
import type { ClauseTable } from "../clause.ts";
import { render } from "../harness/bytes.ts";
import { type Check, withBytes } from "../harness/check.ts";
import { defaultRequest, type Harness } from "../harness/harness.ts";
import { nextMessages } from "../harness/history.ts";
import { eventBoundaries } from "../harness/places.ts";
import { alterTurn, changeTurns, keepWithheldCalls } from "./mutants.ts";

/** Where a value can still be changed. An error is an object of the runtime. */
function* mutablePaths(value: unknown, at: string): Generator<string> {
  if (typeof value !== "object" || value === null || value instanceof Error) return;
  if (!Object.isFrozen(value)) yield at;
  for (const [key, inner] of Object.entries(value)) yield* mutablePaths(inner, `${at}.${key}`);
}

async function* checkFrozen(harness: Harness): AsyncGenerator<Check> {
  for (const { name, frames } of harness.exchanges) {
    const { bytes } = render(frames);
    const mutable = [...mutablePaths(await harness.ask(bytes), "turn")].join(", ");
    yield withBytes({ at: name, expected: "nothing", actual: mutable || "nothing" }, bytes);
  }
}

/** The turn of each exchange, cut after each event. */
async function* turnsAtBoundaries(
  harness: Harness,
): AsyncGenerator<{ at: string; bytes: Uint8Array<ArrayBuffer>; turn: Turn }> {
  for (const { name, frames } of harness.exchanges) {
    const rendered = render(frames);
    for (const length of eventBoundaries(rendered, harness)) {
      const bytes = rendered.bytes.subarray(0, length);
      yield { at: `${name}, ${length} bytes of it`, bytes, turn: await harness.ask(bytes) };
    }
  }
}

async function* checkHistory(harness: Harness): AsyncGenerator<Check> {
  for await (const { at, bytes, turn } of turnsAtBoundaries(harness)) {
    const flaws = validateHistory(nextMessages(defaultRequest.messages, turn)).map(
      (flaw) => `message ${flaw.at}: ${flaw.rule} ${flaw.id ?? ""}`,
    );
    const actual = flaws.length === 0 ? "no flaw" : flaws.join(", ");
    yield withBytes({ at, expected: "no flaw", actual }, bytes);
  }
}

/** The ids of the calls that the history would hold. */
const storedCallIds = ({ message }: Turn): readonly string[] =>
  message?.content.flatMap((block) => (block.type === "tool-call" ? [block.id] : [])) ?? [];

async function* checkStoredCalls(harness: Harness): AsyncGenerator<Check> {
  for await (const { at, bytes, turn } of turnsAtBoundaries(harness)) {
    const expected = JSON.stringify(turn.calls.map(({ id }) => id));
    const actual = JSON.stringify(storedCallIds(turn));
    yield withBytes({ at, expected, actual }, bytes);
  }
}

/** Clauses about turns in a history. */
export const turnClauses: ClauseTable = {
  "turn.frozen": {
    rule: "A turn cannot be changed after it was read: its calls, their inputs and its message are frozen.",
    level: "must",
    references: [
      { issue: "pydantic/pydantic-ai#6968", note: "what ran was not what was approved" },
    ],
    adapter: { check: checkFrozen },
    mutants: [
      {
        wrong: "returns turns that can be changed",
        subject: changeTurns((turn) => alterTurn(turn, { calls: [...turn.calls] })),
      },
    ],
  },
  "turn.history": {
    rule: "A history with the turn in it is valid: each of its calls has one result, directly after it, and its ids are unique.",
    level: "must",
    references: [
      { issue: "letta-ai/letta#3273" },
      {
        issue: "google/adk-python#3970",
        note: "a conversation that holds a call without its result is lost",
      },
    ],
    adapter: { check: checkHistory },
    mutants: [{ wrong: "keeps calls that never get a result", subject: keepWithheldCalls }],
  },
  "turn.replay-safe": {
    rule: "The message of a turn holds the calls that run and no others: a withheld call never enters the history.",
    level: "must",
    references: [
      { issue: "anthropics/claude-code#8210" },
      {
        issue: "letta-ai/letta#3273",
        note: "a call without a result makes the conversation unusable",
      },
    ],
    adapter: { check: checkStoredCalls },
    mutants: [{ wrong: "keeps withheld calls in the history", subject: keepWithheldCalls }],
  },
};
