import type { Emit, ErrorTable } from "@fullstop/core/adapter";
import { type Fields, fieldsOf } from "../../shared/fields.ts";
import type { ChatBody } from "./events.ts";

/**
 * Finds an error instead of a chunk or inside it: `{ error }`, `{ choices: [{ error }] }`, or the
 * fields of an error at the top level.
 */
export function findError(event: ChatBody): unknown {
  if (event.error) return event.error;
  if (event.choices) {
    for (const { error } of event.choices) if (error) return error;
    return undefined;
  }
  const { type, object, message, detail } = event as Fields;
  const hasText = typeof message === "string" || typeof detail === "string";
  return hasText || type === "error" || object === "error" ? event : undefined;
}

/**
 * Emits an error with the first code that the table lists; if none is listed, with the first code.
 */
export function emitChatError(emit: Emit, error: unknown, errors: ErrorTable): void {
  const { message, detail, failed_generation: generation } = fieldsOf(error);
  const codes = codesOf(fieldsOf(error));
  const text = [message, detail, error].find((one) => typeof one === "string" && one !== "");
  const sentence = typeof text === "string" ? text : JSON.stringify(error);
  const hasGeneration = typeof generation === "string" && generation !== "";
  emit({
    type: "error",
    native: codes.find((code) => Object.hasOwn(errors, code)) ?? codes[0] ?? "error",
    message: hasGeneration ? `${sentence} The model wrote: ${generation}` : sentence,
  });
}

const codesOf = ({ code, type, status, status_code, metadata }: Fields): readonly string[] =>
  [fieldsOf(metadata)["error_type"], code, type, status, status_code].flatMap((value) => {
    const name = typeof value === "number" ? String(value) : value;
    return typeof name === "string" && name !== "" && name !== "error" ? [name] : [];
  });
