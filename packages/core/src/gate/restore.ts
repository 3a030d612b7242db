import {
  type ErrorDetail,
  errorRules,
  failedKinds,
  isFailed,
  ProviderError,
} from "../contract/error.ts";
import type { AssistantMessage, ToolCallBlock } from "../contract/message.ts";
import { stopRules } from "../contract/stop.ts";
import type { EndedTurn, FailedTurn, ReplyOutput, ToolUseTurn, Turn } from "../contract/turn.ts";
import { isRecord } from "../json/fields.ts";
import { freezeDeep } from "../json/freeze.ts";
import { parseInput } from "./calls.ts";
import { issueToolCall } from "./issued-calls.ts";
import { type SharedMembers, turnBase } from "./turn-base.ts";
import { atLeastOne } from "./verdict.ts";

/**
 * Restores a turn that was stored as JSON. Its calls are issued anew from the blocks of its
 * message. The turn, and `stored`, are frozen.
 * @throws TypeError if `stored` is not a turn, or holds calls with incomplete inputs.
 */
export function restoreTurn(stored: unknown): Turn {
  return freezeDeep(rebuild(stored));
}

function rebuild(stored: unknown): Turn {
  const turn = readStored(stored);
  if (turn.stopReason === "tool-use") return rebuildToolUse(turn, turn.stopReason);
  const { stopReason, message, withheld, error, output, text, leakedCall } = turn;
  if (message?.content.some(isCall))
    throw notStoredTurn(`its message contains calls, but its stop reason is ${stopReason}`);
  const rest = {
    ...turnBase(turn),
    ...(message && { message }),
    calls: [] as const,
    withheld: withheld ?? [],
    ...(leakedCall && { leakedCall }),
  };
  if (!isFailed(stopReason))
    return { ...rest, stopReason, ...(output && { output: reparseOutput(output, text) }) };
  const { kind = failedKinds[stopReason], message: errorText = "", ...detail } = error ?? {};
  return { ...rest, stopReason, error: new ProviderError(errorText, { ...detail, kind }) };
}

function rebuildToolUse(turn: Stored, stopReason: "tool-use"): ToolUseTurn {
  const { message } = turn;
  if (message === undefined) throw notStoredTurn("it has no message");
  const calls = atLeastOne(message.content.filter(isCall).map(reissue));
  return { ...turnBase(turn), stopReason, message, calls, withheld: [] };
}

/** The text is what the model wrote, so the object is parsed from it again. */
function reparseOutput(output: ReplyOutput, text: string): ReplyOutput {
  if ("withheld" in output) return output;
  const parsed = parseInput(text.trim(), undefined);
  if ("reason" in parsed) throw notStoredTurn(`its text is not an object (${parsed.reason})`);
  return { value: parsed.input };
}

type Stored = SharedMembers &
  Pick<Turn, "stopReason" | "message"> &
  Partial<Pick<FailedTurn, "withheld" | "leakedCall">> &
  Partial<Pick<EndedTurn, "output">> & {
    readonly error?: Partial<ErrorDetail> & { readonly message?: string };
  };

function readStored(stored: unknown): Stored {
  if (!isRecord(stored)) throw notStoredTurn("it is not an object");
  const turn = stored as Partial<Stored>;
  const flaw = checks.find(([, holds]) => !holds(turn));
  if (flaw !== undefined) throw notStoredTurn(flaw[0]);
  return turn as Stored;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isBlock = (block: unknown): boolean => isRecord(block) && isText(block["type"]);

const checks: readonly (readonly [string, (turn: Partial<Stored>) => boolean])[] = [
  [
    "its stopReason is not known",
    ({ stopReason }) => isText(stopReason) && Object.hasOwn(stopRules, stopReason),
  ],
  ["its text is missing", ({ text }) => isText(text)],
  [
    "its usage is missing",
    ({ usage }) => typeof usage?.input === "number" && typeof usage.output === "number",
  ],
  [
    "its message is not an assistant message",
    ({ message }) =>
      message === undefined || (message?.role === "assistant" && Array.isArray(message.content)),
  ],
  [
    "its message contains a value that is not a block",
    ({ message }) => message?.content.every(isBlock) ?? true,
  ],
  [
    "two of its calls share an id",
    ({ message }) => hasOwnIds(message?.content.filter(isCall) ?? []),
  ],
  [
    "`withheld` is not a list of calls",
    ({ withheld }) =>
      withheld === undefined || (Array.isArray(withheld) && withheld.every(isRecord)),
  ],
  [
    "its `leakedCall` has no name or no place",
    ({ leakedCall }) =>
      leakedCall === undefined || (isText(leakedCall?.name) && Number.isInteger(leakedCall.at)),
  ],
  [
    "`rules` is not a list of results",
    ({ rules }) => rules === undefined || (Array.isArray(rules) && rules.every(isRecord)),
  ],
  [
    "its `output` is not the output of a finished reply",
    ({ output, stopReason }) =>
      output === undefined ||
      (stopReason === "stop" && isRecord(output) && ("value" in output || "withheld" in output)),
  ],
  [
    "its `error` has no message or no known kind",
    ({ error }) =>
      error === undefined ||
      (isText(error?.message) && Object.hasOwn(errorRules, String(error.kind))),
  ],
];
const hasOwnIds = (calls: readonly ToolCallBlock[]): boolean =>
  new Set(calls.map(({ id }) => id)).size === calls.length;

const isCall = (block: AssistantMessage["content"][number]): block is ToolCallBlock =>
  block.type === "tool-call";
const notStoredTurn = (why: string): TypeError =>
  new TypeError(`This is not a stored turn: ${why}.`);

function reissue(block: ToolCallBlock): ReturnType<typeof issueToolCall> {
  const { id, name, inputText, kind } = block;
  if (typeof id !== "string" || id === "" || typeof name !== "string" || name.trim() === "")
    throw notStoredTurn("a call has no id or no name");
  if (typeof inputText !== "string") throw notStoredTurn(`the input of ${name} is not a text`);
  const parsed = parseInput(inputText, kind);
  if ("reason" in parsed)
    throw notStoredTurn(`the input of ${name} cannot be used (${parsed.reason})`);
  return issueToolCall(block, parsed.input);
}
