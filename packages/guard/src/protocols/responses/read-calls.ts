import { type Fields, fieldsOf, isFields, parseJson, stringifyJson } from "@fullstop/core/adapter";
import { type GrantedCall, listOf } from "../protocol.ts";
import { isReadByGate, roleOfItem } from "./items.ts";
import { isItemEvent, itemDone, keyOf } from "./places.ts";

interface ItemCall {
  readonly type: unknown;
  readonly id: unknown;
  readonly name: unknown;
  readonly text: string;
}

/** The fields in which calls of tools that the API defines have their input. */
const inputFields = [
  "action",
  "actions",
  "arguments",
  "name",
  "operation",
  "pending_safety_checks",
  "server_label",
];

function readItem(item: Fields): ItemCall {
  const { type, id, call_id: callId, name } = item;
  if (isStreamedCall(type)) return { type, id: callId, name, text: inputOf(item) };
  const input = inputFields.map((field) => item[field]);
  return { type, id: callId ?? id, name: type, text: stringifyJson(input) };
}
const inputOf = ({ type, arguments: json, input }: Fields): string =>
  String((type === "function_call" ? json : input) ?? "");

const streamedTypes = new Set<unknown>(["function_call", "custom_tool_call"]);
const isStreamedCall = (type: unknown): boolean => streamedTypes.has(type);

function readGranted({ id, name, inputText, kind, providerData }: GrantedCall): ItemCall {
  const { item } = fieldsOf(providerData);
  if (isFields(item)) return { ...readItem(item), id };
  return {
    type: kind === "text" ? "custom_tool_call" : "function_call",
    id,
    name,
    text: inputText,
  };
}

export interface Expected {
  readonly calls: readonly GrantedCall[];
  readonly isStrict: boolean;
}

/** A client gives a call without an id one of its own, so its content decides. */
function areGranted(read: readonly ItemCall[], { calls, isStrict }: Expected): boolean {
  const left = new Map<unknown, ItemCall>(calls.map((call) => [call.id, readGranted(call)]));
  const isFound = (call: ItemCall): boolean => {
    const granted = left.get(call.id);
    return granted !== undefined && isSame(call, granted, isStrict) && left.delete(call.id);
  };
  const named = read.filter(({ id }) => isStrict || !isBlank(id));
  return (
    read.length === left.size &&
    named.every(isFound) &&
    (left.size === 0 ||
      haveSameContents(
        read.filter(({ id }) => isBlank(id)),
        [...left.values()],
      ))
  );
}

const isBlank = (value: unknown): boolean => String(value ?? "").trim() === "";

function isSame({ type, name, text }: ItemCall, granted: ItemCall, isStrict: boolean): boolean {
  if (type !== granted.type || name !== granted.name) return false;
  if (type !== "function_call") return text === granted.text;
  return isSameJson(text, granted.text) && !(isStrict && isBlank(text));
}

const haveSameContents = (read: readonly ItemCall[], granted: readonly ItemCall[]): boolean =>
  String(contentsOf(read)) === String(contentsOf(granted));
const contentsOf = (calls: readonly ItemCall[]): readonly string[] =>
  calls
    .map(({ type, name, text }) =>
      JSON.stringify([type, name, type === "function_call" ? compactJson(text) : text]),
    )
    .sort();

/** Clients read a blank input as `{}`. Proxies write JSON with other white space. */
function compactJson(text: string): string {
  try {
    return JSON.stringify(parseJson(text.trim() || "{}"));
  } catch {
    return text;
  }
}
const isSameJson = (text: string, other: string): boolean =>
  text === other || compactJson(text) === compactJson(other);

const grantableCalls = (output: unknown, { calls }: Expected): readonly ItemCall[] =>
  listOf(output)
    .map(fieldsOf)
    .filter((item) => isExpected(item, calls))
    .map(readItem);

const isExpected = (item: Fields, calls: Expected["calls"]): boolean =>
  roleOfItem(item) === "call" && isReadByGate(item["type"], calls);

export const outputSays = (output: unknown, expected: Expected): boolean =>
  areGranted(grantableCalls(output, expected), expected);

export interface StreamCalls {
  add(event: Fields): void;
  says(expected: Expected): boolean;
}

export function createStreamCalls(): StreamCalls {
  const done: unknown[] = [];
  const outputs: unknown[] = [];
  const pieces = createPieces();
  return {
    add(event) {
      pieces.add(event);
      if (isCallPiece(event)) return;
      const { type, item, response, output } = event;
      if (type === itemDone) done.push(item);
      const list = isFields(response) ? response["output"] : output;
      if (Array.isArray(list) && list.length > 0) outputs.push(list);
    },
    says: (expected) => waysSay({ done, outputs, pieces: pieces.read(expected) }, expected),
  };
}

interface ReadWays {
  readonly done: readonly unknown[];
  readonly outputs: readonly unknown[];
  readonly pieces: readonly PiecedCall[];
}

/** A host may leave out some of the three, but not all. */
function waysSay({ done, outputs: all, pieces }: ReadWays, expected: Expected): boolean {
  const outputs = all.filter((output) => grantableCalls(output, expected).length > 0);
  const { calls, isStrict } = expected;
  const streamed = calls.filter((call) => isStreamedCall(readGranted(call).type));
  const mayLackDone = !isStrict && outputs.length > 0;
  const mayLackPieces = !isStrict || streamed.length === 0;
  return (
    (outputSays(done, expected) || (mayLackDone && grantableCalls(done, expected).length === 0)) &&
    outputs.every((output) => outputSays(output, expected)) &&
    (pieces.length === 0 ? mayLackPieces : piecesSay(pieces, { calls: streamed, isStrict }))
  );
}

interface PiecedCall extends ItemCall {
  /** The complete texts that came besides the pieces. */
  readonly whole: readonly string[];
}

const piecesSay = (pieces: readonly PiecedCall[], expected: Expected): boolean =>
  areGranted(pieces, expected) &&
  pieces.every(({ type, text, whole }) =>
    whole.every((one) => (type === "function_call" ? isSameJson(one, text) : one === text)),
  );

interface PiecesOfCall {
  readonly item: Fields;
  readonly texts: string[];
  readonly whole: string[];
}

function createPieces() {
  const found: PiecesOfCall[] = [];
  const open = new Map<unknown, PiecesOfCall>();
  return {
    add(event: Fields): void {
      const item = pieceItem(event);
      if (item === undefined) return;
      const key = keyOf(event);
      const known = isItemEvent(event) ? undefined : open.get(key);
      const call = known ?? { item, texts: [inputOf(item)], whole: [] };
      if (known === undefined) found.push(call);
      open.set(key, call);
      addPiece(call, event);
    },
    read: ({ calls }: Expected): readonly PiecedCall[] =>
      found
        .filter(({ item }) => isReadByGate(item["type"], calls))
        .map(({ item, texts, whole }) => ({ ...readItem(item), text: texts.join(""), whole })),
  };
}

function pieceItem({ type, item }: Fields): Fields | undefined {
  if (type !== "response.output_item.added") return itemOfPiece.get(type);
  const added = fieldsOf(item);
  return isStreamedCall(added["type"]) ? added : undefined;
}
const functionPiece: Fields = { type: "function_call" };
const customPiece: Fields = { type: "custom_tool_call" };
const itemOfPiece: ReadonlyMap<unknown, Fields> = new Map([
  ["response.function_call_arguments.delta", functionPiece],
  ["response.function_call_arguments.done", functionPiece],
  ["response.custom_tool_call_input.delta", customPiece],
  ["response.custom_tool_call_input.done", customPiece],
]);

export const isCallPiece = ({ type }: Fields): boolean => itemOfPiece.has(type);

function addPiece({ texts, whole }: PiecesOfCall, event: Fields): void {
  const { delta, arguments: json, input = json } = event;
  if (typeof delta === "string") texts.push(delta);
  if (typeof input === "string") whole.push(input);
}
