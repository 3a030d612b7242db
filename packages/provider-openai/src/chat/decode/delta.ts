import type { Emit } from "@fullstop/core/adapter";
import type { Choice } from "./events.ts";
import type { Inputs } from "./inputs.ts";
import type { Reasoning } from "./reasoning.ts";

/** Whether a choice holds a complete message instead of a delta. */
export const isMessage = ({ message, delta }: Choice): boolean => Boolean(message) && !delta;

/** What the content of a choice is added to. */
interface ChoiceContent {
  readonly reasoning: Reasoning;
  readonly inputs: Inputs;
  refused: boolean;
}

/** Reads the content of a delta, or of a complete message. */
export function readDelta(target: ChoiceContent, choice: Choice, emit: Emit): void {
  const { reasoning, inputs } = target;
  const delta = choice.delta ?? choice.message;
  if (!delta) return;
  reasoning.add(delta);
  readContent(delta.content, reasoning, emit);
  if (delta.refusal) {
    target.refused = true;
    reasoning.close();
    emit({ type: "text", text: delta.refusal });
  }
  if (delta.tool_calls && delta.tool_calls.length > 0) {
    reasoning.close();
    inputs.add(delta.tool_calls, isMessage(choice));
  }
  if (delta.function_call) {
    reasoning.close();
    inputs.addFunctionCall(delta.function_call);
  }
}

/** Content is a text, or on some hosts a list of text and thinking parts. */
function readContent(content: unknown, reasoning: Reasoning, emit: Emit): void {
  if (content === undefined || content === null || content === "") return;
  if (typeof content === "string") {
    reasoning.close();
    return emit({ type: "text", text: content });
  }
  if (!Array.isArray(content)) throw new Error("The reply holds content that is not text.");
  for (const { type, text, thinking } of content as readonly Readonly<Record<string, unknown>>[]) {
    if (type === "text" && typeof text === "string") readContent(text, reasoning, emit);
    else if (type === "thinking") reasoning.add({ reasoning: thinkingText(thinking) });
  }
}

function thinkingText(thinking: unknown): string {
  if (typeof thinking === "string") return thinking;
  if (!Array.isArray(thinking)) return "";
  return thinking.map(({ text }) => (typeof text === "string" ? text : "")).join("");
}
