import {
  type ErrorDetail,
  errorRules,
  failedKinds,
  isFailed,
  ProviderError,
} from "../contract/error.ts";
import type { AssistantMessage, ToolCallBlock } from "../contract/message.ts";
import { stopRules } from "../contract/stop.ts";
import type { FailedTurn, Turn } from "../contract/turn.ts";
import { freezeDeep } from "../json/freeze.ts";
import { parseInput } from "./calls.ts";
import { licence } from "./issued-calls.ts";
import { atLeastOne } from "./verdict.ts";

/**
 * A turn that was stored as JSON, with its licences derived anew from the blocks of its message. It and what it was made of are frozen.
 * @throws TypeError where it is no turn, or asks for calls whose inputs are not whole.
 */
export function restoreTurn(stored: unknown): Turn {
  return freezeDeep(rebuild(stored));
}

function rebuild(stored: unknown): Turn {
  const { stopReason, message, native, text, usage, requestId, sideEffects, withheld, error } =
    readStored(stored);
  const base = {
    ...(native && { native }),
    text,
    usage,
    ...(requestId !== undefined && { requestId }),
    ...(sideEffects && { sideEffects: true as const }),
  };
  if (stopReason === "tool-use") {
    if (message === undefined) throw broken("it has no message");
    return {
      ...base,
      stopReason,
      message,
      calls: atLeastOne(message.content.filter(isCall).map(relicense)),
      withheld: [],
    };
  }
  if (message?.content.some(isCall)) throw broken(`its message holds calls under ${stopReason}`);
  const rest = {
    ...base,
    ...(message && { message }),
    calls: [] as const,
    withheld: withheld ?? [],
  };
  if (!isFailed(stopReason)) return { ...rest, stopReason };
  const { kind = failedKinds[stopReason], message: said = "", ...detail } = error ?? {};
  return { ...rest, stopReason, error: new ProviderError(said, { ...detail, kind }) };
}

type Stored = Pick<
  Turn,
  "stopReason" | "message" | "native" | "text" | "usage" | "requestId" | "sideEffects"
> &
  Partial<Pick<FailedTurn, "withheld">> & {
    readonly error?: Partial<ErrorDetail> & { readonly message?: string };
  };

function readStored(stored: unknown): Stored {
  if (typeof stored !== "object" || stored === null) throw broken("it is no object");
  const turn = stored as Partial<Stored>;
  const flaw = flaws.find(([, holds]) => !holds(turn));
  if (flaw !== undefined) throw broken(flaw[0]);
  return turn as Stored;
}

const isText = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isBlock = (block: unknown): boolean =>
  isObject(block) && "type" in block && isText(block.type);

/** What is wrong, where the check does not hold. */
const flaws: readonly (readonly [string, (turn: Partial<Stored>) => boolean])[] = [
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
    "its message is no assistant message",
    ({ message }) =>
      message === undefined || (message?.role === "assistant" && Array.isArray(message.content)),
  ],
  [
    "its message holds something that is no block",
    ({ message }) => message?.content.every(isBlock) ?? true,
  ],
  [
    "two of its calls share an id",
    ({ message }) => hasOwnIds(message?.content.filter(isCall) ?? []),
  ],
  [
    "what it withheld is no list",
    ({ withheld }) =>
      withheld === undefined || (Array.isArray(withheld) && withheld.every(isObject)),
  ],
  [
    "its error is none",
    ({ error }) =>
      error === undefined ||
      (isText(error?.message) && Object.hasOwn(errorRules, String(error.kind))),
  ],
];
const hasOwnIds = (calls: readonly ToolCallBlock[]): boolean =>
  new Set(calls.map(({ id }) => id)).size === calls.length;

const isCall = (block: AssistantMessage["content"][number]): block is ToolCallBlock =>
  block.type === "tool-call";
const broken = (why: string): TypeError => new TypeError(`This is not a stored turn: ${why}.`);

function relicense(block: ToolCallBlock): ReturnType<typeof licence> {
  const { id, name, inputText, kind } = block;
  if (typeof id !== "string" || id === "" || typeof name !== "string" || name.trim() === "")
    throw broken("a call has no id or no name");
  if (typeof inputText !== "string") throw broken(`the input of ${name} is no text`);
  const parsed = parseInput(inputText, kind);
  if ("reason" in parsed) throw broken(`the input of ${name} cannot be used (${parsed.reason})`);
  return licence(block, parsed.input);
}
