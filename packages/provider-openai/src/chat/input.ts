import {
  type Emit,
  type Fields,
  fieldsOf,
  jsonText,
  readIndex,
  refuseOtherNames,
} from "@fullstop/core/adapter";
import { nonBlank } from "../values.ts";
import {
  type ArgumentPieces,
  addArgumentPiece,
  createArgumentPieces,
  createObjectCheck,
  cumulativeText,
  withoutPlaceholder,
} from "./arguments.ts";
import type { ToolDelta } from "./events.ts";

/** The number of a call in its reply, as hosts send it. */
export type CallIndex = number | string;

export interface InputState {
  readonly key: number;
  readonly index: CallIndex | undefined;
  readonly kind: "text" | undefined;
  /** It repeats another input in `function_call`, the field of the API's first version. */
  readonly echo: boolean;
  readonly proseBefore: number;
  id: string | undefined;
  name: string | undefined;
  readonly pieces: ArgumentPieces;
  started: boolean;
  /** Its name came again without an id, so a later object may be that of a second call. */
  mayBeTwo: boolean;
  /** The complete text, if the pieces were cumulative. */
  finalText: string | undefined;
  providerData: Fields | undefined;
  readonly isCompleteObject: () => boolean;
}

export interface InputDelta {
  readonly index: CallIndex | undefined;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
  readonly kind: "text" | undefined;
  readonly extraContent: unknown;
}

export function createInput(
  { index, kind }: Pick<InputDelta, "index" | "kind">,
  { key, echo, proseBefore }: Pick<InputState, "key" | "echo" | "proseBefore">,
): InputState {
  const pieces = createArgumentPieces();
  return {
    key,
    echo,
    proseBefore,
    index,
    kind,
    id: undefined,
    name: undefined,
    pieces,
    started: false,
    mayBeTwo: false,
    finalText: undefined,
    providerData: undefined,
    isCompleteObject: createObjectCheck(pieces.list),
  };
}

export const argumentsOf = ({
  finalText,
  pieces,
}: Pick<InputState, "finalText" | "pieces">): string => finalText ?? pieces.list.join("");

/**
 * Whether a delta is the whole call again: some hosts append it behind the `finish_reason`
 * (https://github.com/GCWing/BitFun, `skips_duplicate_finalized_tool_call_id_from_tail_chunks`).
 */
export const repeatsInput = (
  input: InputState | undefined,
  { name, text, kind }: InputDelta,
): boolean =>
  input !== undefined &&
  input.name === name &&
  input.kind === kind &&
  input.isCompleteObject() &&
  argumentsOf(input) === text;

export const isEmptyDelta = ({ id, name, text, extraContent }: InputDelta): boolean =>
  id === undefined && name === undefined && text === "" && extraContent === undefined;

export function readInputDelta(sent: ToolDelta): InputDelta {
  const { index, id, function: functionDelta, custom, extra_content: extraContent } = sent;
  const isCustom = isCustomCall(custom, functionDelta);
  const delta: InputDelta = {
    index: typeof index === "number" || typeof index === "string" ? readIndex(index) : undefined,
    id: nonBlank(id),
    name: nonBlank(isCustom ? custom?.name : functionDelta?.name),
    text: argumentsText(isCustom ? custom?.input : functionDelta?.arguments),
    kind: isCustom ? "text" : undefined,
    extraContent: extraContent ?? undefined,
  };
  if (isEmptyDelta(delta) && nonBlank(fieldsOf(sent)["name"]) !== undefined)
    throw new Error("The reply has a tool call without its `function`.");
  if (delta.text === "" && !isCustom) {
    refuseOtherNames("tool input", sent);
    refuseOtherNames("tool input", functionDelta, ["arguments"]);
  }
  return delta;
}

/** Gateways that write the types of openai-go send the other kind beside each call, without a value. */
const isCustomCall = (custom: ToolDelta["custom"], called: ToolDelta["function"]): boolean =>
  Boolean(custom) &&
  (!called || nonBlank(custom?.name) !== undefined || argumentsText(custom?.input) !== "");

const argumentsText = (value: unknown): string => jsonText(value ?? "");

export function addInputDelta(
  input: InputState,
  { id, name, text, extraContent }: InputDelta,
  emit: Emit,
): void {
  const isNew =
    (input.id === undefined && id !== undefined) ||
    (input.name === undefined && name !== undefined);
  input.mayBeTwo ||= name !== undefined && input.name !== undefined && id === undefined;
  input.id ??= id;
  input.name ??= name;
  if ((isNew || !input.started) && canStart(input, text)) emitStart(input, emit);
  if (!isKnownText(input, text)) {
    addArgumentPiece(input.pieces, text);
    emit({ type: "tool-input-delta", key: input.key, text });
  }
  if (extraContent !== undefined) addInputData(input, { extra_content: extraContent }, emit);
}

/** An input that has ended may come again, or white space of it, also behind the stop reason. */
const isKnownText = ({ finalText }: InputState, text: string): boolean =>
  text === "" || text === finalText || (finalText !== undefined && text.trim() === "");

/** An id alone starts no input while more may come. A final text takes no late name. */
const canStart = ({ finalText, name }: InputState, text: string): boolean =>
  finalText === undefined && (name !== undefined || text !== "");

function emitStart(input: InputState, emit: Emit): void {
  const { key, id, name, kind, echo, providerData } = input;
  const isFirst = !input.started;
  input.started = true;
  emit({ type: "tool-input-start", key, id, name, kind, ...(echo && { echo }) });
  if (isFirst && providerData !== undefined)
    emit({ type: "provider-data", key, data: providerData });
}

export function addInputData(input: InputState, data: Fields, emit: Emit): void {
  input.providerData = { ...input.providerData, ...data };
  if (input.started) emit({ type: "provider-data", key: input.key, data: input.providerData });
}

/** A call with only an id is started too, so that it is not lost. */
export function settleInput(input: InputState, hostIsCumulative: boolean, emit: Emit): void {
  if (!input.started && input.id !== undefined) emitStart(input, emit);
  if (input.kind === "text" || input.finalText !== undefined) return;
  input.finalText =
    (input.mayBeTwo ? undefined : withoutPlaceholder(input.pieces)) ??
    cumulativeText(input.pieces, hostIsCumulative);
  if (input.finalText !== undefined)
    emit({ type: "tool-input-end", key: input.key, text: input.finalText });
}
