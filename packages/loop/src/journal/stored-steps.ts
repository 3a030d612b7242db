import { restoreTurn } from "@fullstop/core";
import {
  describeInvalidBlocks,
  describeInvalidMessages,
  parsePlainJson,
} from "@fullstop/core/adapter";
import { JournalError, type JournalStep } from "../contract/journal.ts";
import { isObject, messageOf } from "../util/values.ts";

const areMessages = (value: unknown): boolean => describeInvalidMessages(value) === undefined;

function isToolResult(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { content, asks = {}, charges = [] } = value;
  const isContent =
    typeof content === "string" ||
    (Array.isArray(content) && describeInvalidBlocks(content) === undefined);
  return isContent && isObject(asks) && Array.isArray(charges) && charges.every(isCharge);
}
const isCharge = (value: unknown): boolean => isObject(value) && isObject(value["usage"]);

/** Whether a value is the result of such a step. A decision that is not known does not count. */
const checks: Readonly<Record<JournalStep["kind"], (value: unknown) => boolean>> = {
  run: (value) => typeof value === "string",
  "before-turn": (value) => isObject(value) && areMessages(value["messages"]),
  model: (value) => restoreTurn(value) !== undefined,
  compaction: (value) =>
    isObject(value) &&
    (typeof value["failed"] === "string" || (areMessages(value) && value["length"] !== 0)),
  approval: isObject,
  tool: isToolResult,
  settlement: (value) =>
    isObject(value) && (value["settled"] === "did-not-happen" || isToolResult(value["outcome"])),
  input: (value) => isObject(value) && "input" in value,
};

/** @throws JournalError if the text is not the result of such a step. */
export function parseStep(json: string, { key, kind }: JournalStep): unknown {
  let flaw = "it has another shape";
  try {
    const value: unknown = parsePlainJson(json);
    if (checks[kind](value)) return value;
  } catch (thrown) {
    flaw = messageOf(thrown);
  }
  throw damagedStep(key, `is not the result of a step of the kind "${kind}" (${flaw})`);
}

/** `flaw` follows what the journal holds. */
export const damagedStep = (key: string, flaw: string): JournalError =>
  new JournalError(
    "damaged",
    `What the journal holds for the step "${key}" ${flaw}. Restore a copy of the journal, or begin a new run with another \`journal.runId\`.`,
  );
