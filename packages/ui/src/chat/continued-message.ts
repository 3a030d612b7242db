import { type Fields, fieldsOf, isFields } from "@fullstop/core/adapter";
import { readCallPart, readUiList, type UiPart } from "./ui-message.ts";

export interface ContinuedMessage {
  /** Undefined: the run writes a new message. */
  readonly id: string | undefined;
  readonly callIds: ReadonlySet<string>;
  readonly deniedIds: ReadonlySet<string>;
  /** The message as parts of a stream, for a page that has lost it. */
  readonly chunks: readonly object[];
}

/** The page adds an answer to the message. @throws UiMessageError if it cannot be used. */
export function readContinued(messages: unknown): ContinuedMessage {
  const last = messages === undefined ? undefined : readUiList(messages).at(-1);
  const parts = last?.role === "assistant" ? last.parts : [];
  const calls = parts.map(readCallPart).filter((call) => call !== undefined);
  const denied = calls.filter(
    ({ part: { fields } }) => fieldsOf(fields["approval"])["approved"] === false,
  );
  return {
    id: last?.role === "assistant" && last.id !== "" ? last.id : undefined,
    callIds: new Set(calls.map(({ id }) => id)),
    deniedIds: new Set(denied.map(({ id }) => id)),
    chunks: parts.flatMap((part, index) => chunksOf(part, `part.${index}`)),
  };
}

function chunksOf({ type, fields }: UiPart, id: string): readonly object[] {
  if (type === "step-start") return [{ type: "start-step" }];
  if (type === "text" || type === "reasoning")
    return [
      { type: `${type}-start`, id },
      { type: `${type}-delta`, id, delta: fields["text"] },
      { type: `${type}-end`, id },
    ];
  if (type === "dynamic-tool")
    return callChunks(fields, { dynamic: true, toolName: fields["toolName"] });
  if (type.startsWith("tool-")) return callChunks(fields, { toolName: type.slice("tool-".length) });
  // The other parts are the same in a message and in a stream.
  return [fields];
}

function callChunks(fields: Fields, named: Fields): readonly object[] {
  const { toolCallId, toolMetadata, state, input, errorText, approval } = fields;
  const call = { toolCallId, ...named, ...(toolMetadata !== undefined && { toolMetadata }) };
  if (state === "output-error" && (input ?? null) === null)
    return [{ type: "tool-input-error", ...call, input: null, errorText }];
  return [
    { type: "tool-input-available", ...call, input },
    ...approvalChunks(toolCallId, approval),
    ...resultChunks(fields),
  ];
}

function approvalChunks(toolCallId: unknown, approval: unknown): readonly object[] {
  if (!isFields(approval)) return [];
  const { id: approvalId, approved, reason } = approval;
  const request = { type: "tool-approval-request", approvalId, toolCallId };
  if (typeof approved !== "boolean") return [request];
  return [request, { type: "tool-approval-response", approvalId, approved, reason }];
}

function resultChunks({ toolCallId, state, output, errorText }: Fields): readonly object[] {
  if (state === "output-available") return [{ type: "tool-output-available", toolCallId, output }];
  if (state === "output-error") return [{ type: "tool-output-error", toolCallId, errorText }];
  if (state === "output-denied") return [{ type: "tool-output-denied", toolCallId }];
  return [];
}
