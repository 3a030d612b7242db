import type { Emit, ErrorTable } from "@fullstop/core/adapter";
import type { ChatBody } from "./events.ts";

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};

/** An error in place of a chunk, or inside one: `{ error }`, `{ choices: [{ error }] }`, or an error's own members at the top. */
export function failureIn(event: ChatBody): unknown {
  if (event.error) return event.error;
  if (event.choices) {
    for (const { error } of event.choices) if (error) return error;
    return undefined;
  }
  const { type, object, message, detail } = event as Fields;
  const says = typeof message === "string" || typeof detail === "string";
  return says || type === "error" || object === "error" ? event : undefined;
}

/** The code that the table lists counts; where it lists none, the first. */
export function emitFailure(emit: Emit, failure: unknown, errors: ErrorTable): void {
  const {
    code,
    type,
    status,
    status_code,
    metadata,
    message,
    detail,
    failed_generation: attempt,
  } = fields(failure);
  const codes = [fields(metadata)["error_type"], code, type, status, status_code].flatMap(
    (value) => {
      const word = typeof value === "number" ? String(value) : value;
      return typeof word === "string" && word !== "" && word !== "error" ? [word] : [];
    },
  );
  const said = [message, detail, failure].find((text) => typeof text === "string" && text !== "");
  const sentence = typeof said === "string" ? said : JSON.stringify(failure);
  emit({
    type: "error",
    native: codes.find((word) => Object.hasOwn(errors, word)) ?? codes[0] ?? "error",
    message:
      typeof attempt === "string" && attempt !== ""
        ? `${sentence} The model wrote: ${attempt}`
        : sentence,
  });
}
