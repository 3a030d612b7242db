import { isFields } from "@fullstop/core/adapter";
import type { Decision, ReviewedCall, ToolOutput, Waiting } from "@fullstop/loop";
import { denialOf } from "./read-messages.ts";
import { type CallPart, readCallPart, readUiList } from "./ui-message.ts";

/** What a person answered: the option `waiting` of `run`, without its turn. */
export type UiAnswers = Required<Pick<Waiting, "decisions" | "results" | "inputs">>;

/**
 * What the page of `useChat` answered to the calls of a run that waits (`outcome.calls`): the answers
 * of `addToolApprovalResponse`, and what `addToolOutput` gave. An allowed call is allowed for the
 * input that the page showed, and for no other.
 * Undefined if the last message is that of a person, or answers none of these calls. A call in doubt
 * is never settled from a page.
 * @throws UiMessageError for messages that cannot be used.
 */
export function readUiAnswers(
  messages: unknown,
  calls: readonly ReviewedCall[],
): UiAnswers | undefined {
  const last = readUiList(messages).at(-1);
  if (last?.role !== "assistant") return undefined;
  const parts = new Map(
    last.parts
      .map(readCallPart)
      .filter((part) => part !== undefined)
      .map((part) => [part.id, part]),
  );
  const answers: MutableAnswers = { decisions: {}, results: {}, inputs: {} };
  for (const call of calls) {
    const part = parts.get(call.id);
    if (part !== undefined) readers[call.needs](part, answers);
  }
  return Object.values(answers).some((group) => Object.keys(group).length > 0)
    ? answers
    : undefined;
}

interface MutableAnswers extends UiAnswers {
  readonly decisions: Record<string, Decision>;
  readonly results: Record<string, ToolOutput>;
  readonly inputs: Record<string, unknown>;
}

const readers: Readonly<
  Record<ReviewedCall["needs"], (part: CallPart, answers: MutableAnswers) => void>
> = {
  decision: ({ id, state, input, part }, { decisions }) => {
    const approval = part.fields["approval"];
    if (state !== "approval-responded" || !isFields(approval)) return;
    if (approval["approved"] === true) decisions[id] = isFields(input) ? { allow: input } : false;
    else decisions[id] = { deny: denialOf(approval) ?? "The user did not allow this call." };
  },
  result: (call, { results }) => {
    const output = givenOutput(call);
    if (output !== undefined) results[call.id] = output.value as ToolOutput;
  },
  input: (call, { inputs }) => {
    const output = givenOutput(call);
    if (output !== undefined) inputs[call.id] = output.value;
  },
  settlement: () => {},
};

function givenOutput({
  state,
  part: { fields },
}: CallPart): { readonly value: unknown } | undefined {
  // JSON leaves out what is undefined: the tool of the page has no output.
  if (state === "output-available") return { value: fields["output"] ?? null };
  if (state === "output-error")
    return { value: { content: String(fields["errorText"]), isError: true } };
  return undefined;
}
