import type { Emit } from "@fullstop/core/adapter";
import type { Choice } from "./events.ts";
import type { Inputs } from "./inputs.ts";
import type { Reasoning } from "./reasoning.ts";

/** A whole message instead of a piece of one. */
export const isMessage = ({ message, delta }: Choice): boolean => Boolean(message) && !delta;

/** Where the content of a choice goes. */
interface Target {
  readonly reasoning: Reasoning;
  readonly inputs: Inputs;
  refused: boolean;
}

/** The content of one chunk, or of a whole message. */
export function takeDelta(target: Target, choice: Choice, emit: Emit): void {
  const { reasoning, inputs } = target;
  const delta = choice.delta ?? choice.message;
  if (!delta) return;
  reasoning.take(delta);
  takeContent(delta.content, reasoning, emit);
  if (delta.refusal) {
    target.refused = true;
    reasoning.close();
    emit({ type: "text", text: delta.refusal });
  }
  if (delta.tool_calls && delta.tool_calls.length > 0) {
    reasoning.close();
    inputs.take(delta.tool_calls, isMessage(choice));
  }
  if (delta.function_call) {
    reasoning.close();
    inputs.takeLegacy(delta.function_call);
  }
}

/** Text, or on hosts that send content in parts, text and reasoning. */
function takeContent(content: unknown, reasoning: Reasoning, emit: Emit): void {
  if (content === undefined || content === null || content === "") return;
  if (typeof content === "string") {
    reasoning.close();
    return emit({ type: "text", text: content });
  }
  if (!Array.isArray(content)) throw new Error("The reply holds content that is no text.");
  for (const { type, text, thinking } of content as readonly Readonly<Record<string, unknown>>[]) {
    if (type === "text" && typeof text === "string") takeContent(text, reasoning, emit);
    else if (type === "thinking") reasoning.take({ reasoning: partsText(thinking) });
  }
}
const partsText = (parts: unknown): string =>
  typeof parts === "string"
    ? parts
    : Array.isArray(parts)
      ? parts.map(({ text }) => (typeof text === "string" ? text : "")).join("")
      : "";
