import type { ReplyQuirks } from "../quirks.ts";
import type { Slot } from "./input.ts";
import type { Inputs } from "./inputs.ts";

/** What only the whole reply shows. Throws for a call that its numbers miss, and for two forms of a call that differ. */
export function checkWhole(choices: readonly Inputs[], { sparseIndices }: ReplyQuirks): void {
  for (const inputs of choices) if (!sparseIndices) checkIndices(inputs);
  checkEchoes(choices);
}

interface Place {
  readonly index: number;
  readonly prose: number;
}

/**
 * Calls are numbered one by one. They may begin anywhere, and text or thinking between two of them may have a number too: gateways hand the number
 * of a content block through (CLIProxyAPI#5229, agentgateway#2965, aws-samples/bedrock-access-gateway#134). Any other gap is a call that was lost.
 */
function checkIndices({ slots, blanks }: Inputs): void {
  const places = slots.flatMap(({ started, index, prose }): readonly Place[] =>
    started && Number.isSafeInteger(index) ? [{ index: Number(index), prose }] : [],
  );
  const sorted = places.toSorted((a, b) => a.index - b.index);
  const said = [...blanks].filter((index) => Number.isSafeInteger(index)).map(Number);
  sorted.forEach((place, n) => {
    const before = sorted[n - 1];
    if (before === undefined || place.index - before.index < 2 || place.prose !== before.prose)
      return;
    const between = said.filter((index) => index > before.index && index < place.index).length;
    if (between === place.index - before.index - 1) return;
    throw new Error(
      `Its tool calls have the indices ${before.index} and ${place.index}, and nothing came between them: a call was lost. For a host that skips indices, set \`sparseIndices: true\` in its dialect.`,
    );
  });
}

/** A `function_call` beside `tool_calls` is one of them, or several of them joined. */
function checkEchoes(choices: readonly Inputs[]): void {
  const calls = choices.flatMap(({ slots }) => slots).filter(({ started }) => started);
  if (calls.length === 0) return;
  for (const { echo } of choices) {
    if (echo === undefined || !echo.started) continue;
    const named = calls.filter(({ name }) => echo.name === undefined || name === echo.name);
    const text = objectOf(echo);
    const differs = text !== undefined && named.every((call) => (objectOf(call) ?? text) !== text);
    if (named.length === 0 || differs) {
      throw new Error(
        `Its \`function_call\` of ${echo.name ?? "a tool without a name"} is none of its \`tool_calls\`.`,
      );
    }
  }
}

/** The input as JSON without blanks between its parts; nothing where it is not a whole object. */
const objectOf = ({ whole, pieces, isWholeObject }: Slot): string | undefined => {
  if (whole === undefined && !isWholeObject()) return undefined;
  return JSON.stringify(JSON.parse(whole ?? pieces.list.join("")));
};
