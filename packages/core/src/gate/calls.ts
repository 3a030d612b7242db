import type { Message } from "../contract/message.ts";
import type { WithheldReason } from "../contract/turn.ts";
import { scanCutJson } from "../json/cut-json.ts";
import { isFields, isRecord } from "../json/fields.ts";
import { hasLossyNumber } from "../json/numbers.ts";
import { parsePlainJson } from "../json/parse.ts";
import type { Item } from "../reply/blocks.ts";
import { type Input, inputText } from "../reply/inputs.ts";

export function distinctInputs(items: readonly Item[]): readonly Input[] {
  const inputs = items.filter(
    (item) => item.type === "input" && !isNoise(item),
  ) as readonly Input[];
  const hasOriginals = inputs.some((input) => !input.echo);
  const isRepeated = createRepetitions();
  return inputs.filter((input) => !(input.echo && hasOriginals) && !isRepeated(input));
}
const isNoise = (input: Input): boolean =>
  input.id === undefined && input.name === undefined && inputText(input) === "";

function createRepetitions(): (input: Input) => boolean {
  const seen = new Map<string, Set<string>>();
  return (input) => {
    if (input.id === undefined) return false;
    const texts = seen.get(input.id) ?? new Set();
    seen.set(input.id, texts);
    const text = `${input.name ?? ""}\n${inputText(input)}`;
    const isRepeated = texts.has(text);
    texts.add(text);
    return isRepeated;
  };
}

export type ParsedInput =
  | { readonly input: Readonly<Record<string, unknown>> }
  | { readonly reason: WithheldReason };

/** An empty text is `{}`; the rule `notMissing` decides whether it may be empty. */
export function parseInput(text: string, kind: "text" | undefined): ParsedInput {
  if (kind === "text") return { input: Object.freeze({ text }) };
  if (text === "") return { input: Object.freeze({}) };
  let value: unknown;
  try {
    value = parsePlainJson(text);
  } catch {
    return { reason: scanCutJson(text) === "invalid" ? "invalid-json" : "input-cut" };
  }
  if (!isFields(value)) return { reason: "not-an-object" };
  const found = freezeParsed(value);
  if (found.unsafe && hasLossyNumber(text)) return { reason: "number-too-large" };
  return found.proto ? { reason: "unsupported" } : { input: value as Record<string, unknown> };
}

/** Freezes a value at every depth, without recursion. */
function freezeParsed(root: object) {
  const pending: object[] = [root];
  /** It contains a number beyond the safe integers. Its text must be checked. */
  let unsafe = false;
  /** It contains a key that an assignment would turn into a prototype. */
  let proto = false;
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    proto ||= Object.hasOwn(value, "__proto__");
    Object.freeze(value);
    for (const member of Object.values(value)) {
      unsafe ||= typeof member === "number" && Math.abs(member) > Number.MAX_SAFE_INTEGER;
      if (isRecord(member)) pending.push(member);
    }
  }
  return { unsafe, proto };
}

export type CallIdsIn = (messages: readonly Message[]) => ReadonlySet<string>;

/** Keeps the provider's own id if it is free in the history that the reply joins. */
export function createIds(
  messages: readonly Message[],
  callIdsIn: CallIdsIn,
): (nativeId: string | undefined) => string {
  let earlier: ReadonlySet<string> | undefined;
  const used = new Set<string>();
  const isTaken = (id: string): boolean => {
    earlier ??= callIdsIn(messages);
    return used.has(id) || earlier.has(id);
  };
  let position = 0;
  return (nativeId) => {
    const minted = `call_${messages.length}_${position++}`;
    let id = nativeId !== undefined && !isTaken(nativeId) ? nativeId : minted;
    for (let again = 1; isTaken(id); again++) id = `${minted}_${again}`;
    used.add(id);
    return id;
  };
}
