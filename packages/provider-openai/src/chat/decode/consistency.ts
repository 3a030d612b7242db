import type { ReplyQuirks } from "../quirks.ts";
import type { InputState } from "./input.ts";
import type { Inputs } from "./inputs.ts";

/**
 * Checks what only the complete reply shows.
 * @throws Error if an index between two calls is missing, or if `function_call` differs from all
 * `tool_calls`.
 */
export function assertConsistentCalls(
  choices: readonly Inputs[],
  { sparseIndices }: ReplyQuirks,
): void {
  for (const inputs of choices) if (!sparseIndices) assertNoMissingIndex(inputs);
  assertEchoesMatch(choices);
}

interface IndexedCall {
  readonly index: number;
  readonly proseBefore: number;
}

/**
 * Indices of calls are consecutive. They may begin anywhere, and text or thinking between two calls
 * may have an index too: some gateways send the index of a content block (CLIProxyAPI#5229,
 * agentgateway#2965, aws-samples/bedrock-access-gateway#134). Any other gap is a lost call.
 */
function assertNoMissingIndex({ list, emptyIndices }: Inputs): void {
  const calls = list.flatMap(({ started, index, proseBefore }): readonly IndexedCall[] =>
    started && Number.isSafeInteger(index) ? [{ index: Number(index), proseBefore }] : [],
  );
  const sorted = calls.toSorted((a, b) => a.index - b.index);
  const empty = [...emptyIndices].filter((index) => Number.isSafeInteger(index)).map(Number);
  sorted.forEach((call, position) => {
    const previous = sorted[position - 1];
    if (previous === undefined || call.index - previous.index < 2) return;
    if (call.proseBefore !== previous.proseBefore) return;
    const between = empty.filter((index) => index > previous.index && index < call.index).length;
    if (between === call.index - previous.index - 1) return;
    throw new Error(
      `The reply has tool calls with the indices ${previous.index} and ${call.index}, and nothing between them: a call was lost. If the host skips indices, set \`sparseIndices: true\` in its dialect.`,
    );
  });
}

/** A `function_call` next to `tool_calls` repeats one of them, or several of them joined. */
function assertEchoesMatch(choices: readonly Inputs[]): void {
  const calls = choices.flatMap(({ list }) => list).filter(({ started }) => started);
  if (calls.length === 0) return;
  for (const { echo } of choices) {
    if (echo === undefined || !echo.started) continue;
    const sameName = calls.filter(({ name }) => echo.name === undefined || name === echo.name);
    const input = compactInput(echo);
    const differs =
      input !== undefined && sameName.every((call) => (compactInput(call) ?? input) !== input);
    if (sameName.length === 0 || differs)
      throw new Error(
        `The reply has a \`function_call\` of ${echo.name ?? "a tool without a name"} that differs from all its \`tool_calls\`.`,
      );
  }
}

/** The input as JSON without white space; `undefined` if it is not a complete object. */
function compactInput({ finalText, pieces, isCompleteObject }: InputState): string | undefined {
  if (finalText === undefined && !isCompleteObject()) return undefined;
  return JSON.stringify(JSON.parse(finalText ?? pieces.list.join("")));
}
