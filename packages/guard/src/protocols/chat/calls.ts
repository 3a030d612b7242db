import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import { type GrantedCall, listOf, type ReplyFrame } from "../protocol.ts";
import { areSameCalls, type ReadCall } from "../same-calls.ts";
import { choicesOf, hasCalls, hasEnding, holders, type PlacedChoice } from "./choice.ts";

interface ChatCall extends ReadCall {
  readonly id: string;
  readonly kind: "text" | undefined;
  readonly type: unknown;
}

export interface ReadReply {
  readonly calls: readonly ChatCall[];
  /** The calls stand where each client finds them, and no two clients read them differently. */
  readonly isClear: boolean;
  /** The call is in `function_call`, where the first version of the API has it. */
  readonly isLegacy: boolean;
  readonly reasons: readonly unknown[];
}

/** One entry of `tool_calls`, or `function_call` as an entry. */
interface Part {
  readonly index: unknown;
  readonly id: string;
  readonly name: string;
  readonly type: unknown;
  readonly kind: "text" | undefined;
  readonly text: string;
  readonly isClear: boolean;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;
const isTextOrAbsent = (value: unknown): boolean => isAbsent(value) || typeof value === "string";
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

function readPart(entry: unknown, position?: number): Part {
  const { index: sentIndex, id, type, function: functionPart, custom } = fieldsOf(entry);
  const index = position ?? sentIndex;
  const kind = isFields(custom) ? "text" : undefined;
  const members = fieldsOf(kind === "text" ? custom : functionPart);
  const input = members[kind === "text" ? "input" : "arguments"];
  return {
    index,
    id: textOf(id),
    name: textOf(members["name"]),
    type: isAbsent(type) ? undefined : type,
    kind,
    text: textOf(input),
    isClear:
      isFields(entry) &&
      [id, members["name"], input].every(isTextOrAbsent) &&
      !(isFields(custom) && isFields(functionPart)),
  };
}

export const nativesOf = (held: readonly ReplyFrame[]): readonly unknown[] =>
  held.map(({ native }) => native);

/** Indices must count from 0: the SDK of OpenAI for Python inserts each part of a later one. */
function createAssembly() {
  const calls: (Part & { readonly pieces: string[] })[] = [];
  const byIndex = new Map<unknown, (typeof calls)[number]>();
  const assembly = {
    calls,
    isClear: true,
    add(part: Part): void {
      const open = byIndex.get(part.index);
      const isInOrder = open === undefined ? part.index === calls.length : continues(open, part);
      assembly.isClear &&= part.isClear && isInOrder;
      if (open === undefined) {
        const call = { ...part, pieces: [part.text] };
        calls.push(call);
        byIndex.set(part.index, call);
      } else open.pieces.push(part.text);
    },
  };
  return assembly;
}

/** Some clients join repeated names and ids, others replace them. */
const continues = (open: Part, { id, name, kind, type, text }: Part): boolean =>
  id === "" &&
  name === "" &&
  (kind === open.kind || text === "") &&
  (type === undefined || open.type === undefined || type === open.type);

function callsIn(choice: Fields) {
  const [message = {}, ...others] = holders.map((name) => choice[name]).filter(isFields);
  const { tool_calls: entries, function_call: legacy } = message;
  return {
    entries: listOf(entries),
    legacy,
    isClear:
      (isAbsent(entries) || Array.isArray(entries)) &&
      others.every((other) => !hasCalls({ message: other })),
  };
}

const isInPlace = ({ isMain, isFirst }: PlacedChoice): boolean => isMain && isFirst;

export interface ReplyCallReader {
  add(native: unknown): void;
  read(): ReadReply;
}

/** `body`: calls are whole and need no index. */
export function createReplyReader(form: "stream" | "body"): ReplyCallReader {
  const tools = createAssembly();
  const legacy = createAssembly();
  const reasons: unknown[] = [];
  let isClear = true;
  const addMain = (choice: Fields): void => {
    const message = callsIn(choice);
    isClear &&= message.isClear;
    for (const entry of message.entries)
      tools.add(readPart(entry, form === "body" ? tools.calls.length : undefined));
    if (!isAbsent(message.legacy)) legacy.add(readPart({ index: 0, function: message.legacy }));
    if (hasEnding(choice)) reasons.push(choice["finish_reason"]);
  };
  return {
    add(native) {
      for (const placed of choicesOf(native))
        if (isInPlace(placed)) addMain(placed.choice);
        else isClear &&= !hasCalls(placed.choice);
    },
    read() {
      const isLegacy = tools.calls.length === 0 && legacy.calls.length > 0;
      const { calls } = isLegacy ? legacy : tools;
      return {
        calls: calls.map(({ pieces, ...call }) => ({ ...call, inputText: pieces.join("") })),
        isClear:
          isClear && tools.isClear && legacy.isClear && (isLegacy || legacy.calls.length === 0),
        isLegacy,
        reasons,
      };
    },
  };
}

export function readChatReply(natives: readonly unknown[], form: "stream" | "body"): ReadReply {
  const reader = createReplyReader(form);
  for (const native of natives) reader.add(native);
  return reader.read();
}

export const saysCalls = (
  reply: ReadReply,
  granted: readonly GrantedCall[],
  isStrict: boolean,
): boolean =>
  reply.isClear &&
  areSameCalls(reply.calls, granted.map(isStrict && !reply.isLegacy ? asGranted : asSent)) &&
  (!isStrict || isStrictForm(reply));

const asGranted = (call: GrantedCall): GrantedCall => call;
/** A call with the id that the provider gave it. Empty if it gave none. */
const asSent = (call: GrantedCall): GrantedCall => ({ ...call, id: call.nativeId ?? "" });

const isStrictForm = ({ calls, isLegacy, reasons }: ReadReply): boolean =>
  reasons.length > 0 &&
  reasons.every((reason) => reason === (isLegacy ? "function_call" : "tool_calls")) &&
  calls.every(
    ({ kind, type, inputText }) =>
      (isLegacy || type === (kind === "text" ? "custom" : "function")) &&
      (kind === "text" || inputText.trim() !== ""),
  );

export function callEntry({ id, name, inputText, kind, providerData }: GrantedCall): Fields {
  const { extra_content } = fieldsOf(providerData);
  return {
    id,
    ...(kind === "text"
      ? { type: "custom", custom: { name, input: inputText } }
      : { type: "function", function: { name, arguments: argumentsOf(inputText) } }),
    ...(extra_content !== undefined && { extra_content }),
  };
}

export const legacyCall = ({ name, inputText }: GrantedCall): Fields => ({
  name,
  arguments: argumentsOf(inputText),
});

const argumentsOf = (inputText: string): string => (inputText.trim() === "" ? "{}" : inputText);
