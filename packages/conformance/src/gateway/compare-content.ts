import type { Turn } from "@fullstop/core";
import { sameJson } from "../harness/json.ts";
import type { Observation } from "./observe.ts";
import {
  type Compare,
  callLines,
  isDocumentedAndFinished,
  isForeign,
  isReadable,
  keptIf,
} from "./outcome.ts";

/** The lines of the first list that the second lacks; each line counts as often as it occurs. */
function missingFrom(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return lines.filter((line) => {
    const at = left.indexOf(line);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, "");

/** Whether one input holds those of two calls, with any white space. */
function isMerged({ sent, heard }: Observation): boolean {
  const all = [
    ...heard.turn.calls.map(({ input }) => JSON.stringify(input)),
    ...heard.turn.withheld.map(({ inputText }) => inputText),
  ];
  if (sent.calls.length < 2 || all.length >= sent.calls.length) return false;
  const tails = sent.calls
    .map(({ input }) => JSON.stringify(input))
    .filter((text) => text !== "{}");
  return all.some(
    (text) => tails.filter((tail) => withoutSpace(text).includes(withoutSpace(tail))).length > 1,
  );
}

export const lostCalls: Compare = (observation) => {
  const { sent, heard } = observation;
  if (!isDocumentedAndFinished(observation) || !isReadable(observation)) return undefined;
  if (sent.calls.length === 0 || isMerged(observation)) return undefined;
  const count = sent.calls.length;
  return keptIf(
    heard.turn.calls.length >= count,
    `${count} ${count === 1 ? "call" : "calls"}: ${callLines(sent).join(" and ")}`,
    observation,
    "a finished call is lost",
  );
};

export const mergedCalls: Compare = (observation) => {
  const { sent } = observation;
  if (!isDocumentedAndFinished(observation) || sent.calls.length < 2) return undefined;
  return keptIf(
    !isMerged(observation),
    `${sent.calls.length} calls: ${callLines(sent).join(" and ")}`,
    observation,
    "a finished call is lost",
  );
};

export const changedInputs: Compare = (observation) => {
  const { sent, heard } = observation;
  if (!isDocumentedAndFinished(observation) || !isReadable(observation)) return undefined;
  if (heard.turn.calls.length === 0) return undefined;
  return keptIf(
    missingFrom(callLines(heard.turn), callLines(sent)).length === 0,
    `only ${callLines(sent).join(" and ") || "text"}`,
    observation,
    "a call runs that must not",
  );
};

export const lostText: Compare = (observation, { front, behind }) => {
  if (!isDocumentedAndFinished(observation) || !isReadable(observation)) return undefined;
  const { sent, heard } = observation;
  if (front !== behind && sent.message?.content.some(isForeign)) return undefined;
  return {
    expected: JSON.stringify(sent.text),
    actual: JSON.stringify(heard.turn.text),
    severity: "a detail is lost",
  };
};

export const lostUsage: Compare = (observation) => {
  if (!isDocumentedAndFinished(observation) || !isReadable(observation)) return undefined;
  const { sent, heard, played } = observation;
  if (played.id.includes("/fixture-")) return undefined;
  return {
    expected: `${sent.usage.output} output tokens`,
    actual: `${heard.turn.usage.output} output tokens`,
    severity: "a detail is lost",
  };
};

/** What only its provider understands: whole blocks, and signatures of others. */
const opaqueValues = (turn: Turn): readonly unknown[] =>
  (turn.message?.content ?? []).flatMap((block) =>
    block.type === "native" ? [block.data] : (block.providerData ?? []),
  );

export const lostContent: Compare = (observation, { front, behind }) => {
  if (front !== behind || !isDocumentedAndFinished(observation)) return undefined;
  const wanted = opaqueValues(observation.sent);
  if (wanted.length === 0 || !isReadable(observation)) return undefined;
  const there = opaqueValues(observation.heard.turn);
  const lost = wanted.filter((value) => !there.some((other) => sameJson(value, other)));
  return {
    expected: `${wanted.length} signatures and blocks that the next request returns`,
    actual: `${wanted.length - lost.length} signatures and blocks that the next request returns`,
    severity: "a detail is lost",
  };
};

export const repairedInput: Compare = (observation) => {
  if (observation.played.kind !== "invalid") return undefined;
  return keptIf(
    observation.heard.turn.calls.length === 0,
    `runs nothing: upstream sent the input ${observation.sent.withheld.map(({ inputText }) => JSON.stringify(inputText)).join(" and ")}`,
    observation,
    "a call runs that must not",
  );
};
