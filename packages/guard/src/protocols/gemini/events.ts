import { type Fields, fieldsOf, isFields, readIndex } from "@fullstop/core/adapter";
import { listOf } from "../protocol.ts";

/** Gemini Code Assist nests each event in `response`. */
const isNested = (native: Fields): boolean =>
  !("candidates" in native) && isFields(native["response"]);

export function innerEvent(native: unknown): Fields {
  const fields = fieldsOf(native);
  return isNested(fields) ? fieldsOf(fields["response"]) : fields;
}
export function withEvent(native: unknown, event: Fields): Fields {
  const fields = fieldsOf(native);
  return isNested(fields) ? { ...fields, response: event } : event;
}

export const candidatesOf = (event: Fields): readonly Fields[] =>
  listOf(event["candidates"]).map(fieldsOf);
export const indexOf = (candidate: Fields): unknown => readIndex(candidate["index"] ?? 0);
/** Clients read no other one. */
export const mainCandidate = (candidates: readonly Fields[]): Fields | undefined =>
  candidates.find((candidate) => indexOf(candidate) === 0);
export const partsOf = (candidate: Fields): readonly Fields[] =>
  listOf(fieldsOf(candidate["content"])["parts"]).map(fieldsOf);

/** Clients in Python read names in snake case too. */
export const isFunctionCall = (part: Fields): boolean =>
  Boolean(part["functionCall"] ?? part["function_call"]);
export const holdsCall = (event: Fields): boolean =>
  candidatesOf(event).some((candidate) => partsOf(candidate).some(isFunctionCall));

/** Some hosts send `""` or `"null"` if there is no finish reason. */
export const hasFinishReason = ({ finishReason, finish_reason: snakeCase }: Fields): boolean =>
  !/^(?:|null|undefined|.*_UNSPECIFIED)$/.test(String(finishReason ?? snakeCase ?? "").trim());

/** What a user sees, and what the service runs itself. */
const contentKeys: readonly string[] = [
  "text",
  "inlineData",
  "fileData",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
  "audioTranscription",
];
export const showsContent = (part: Fields): boolean =>
  contentKeys.some((key) => Boolean(part[key]));
/** A part without content, such as a text without a character. A signature must be sent back. */
export const isEmptyPart = ({ text, thought: _, ...rest }: Fields): boolean =>
  !text && Object.keys(rest).length === 0;
/** A part that may be anything, also a call of a later version of the API. */
export const isUnknownPart = (part: Fields): boolean =>
  !showsContent(part) && !isEmptyPart(part) && !part["thoughtSignature"];
