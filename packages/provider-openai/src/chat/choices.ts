import type { Emit } from "@fullstop/core";
import { type Choice, done } from "./events.ts";
import { createInputs, type Inputs } from "./inputs.ts";
import type { ReplyQuirks } from "./quirks.ts";
import { createReasoning, type Reasoning, type ReasoningSeal } from "./reasoning.ts";

/** A whole message instead of a piece of one. */
export const isMessage = ({ message, delta }: Choice): boolean => Boolean(message) && !delta;

interface Word {
  readonly native: string;
  readonly detail?: unknown;
}
/** One choice of a reply, while it arrives. */
interface Part {
  readonly reasoning: Reasoning;
  readonly inputs: Inputs;
  refused: boolean;
  word: Word | undefined;
}

/** A reply is its first choice, or on some hosts all of them together. */
export interface Choices {
  take(choice: Choice): void;
  /** The protocol's own end. */
  end(): void;
  reasoned(): boolean;
}

export function createChoices(emit: Emit, quirks: ReplyQuirks): Choices {
  const parts = new Map<number, Part>();
  let inputs = 0;
  let reasoned = false;
  const telling: Emit = (event) => {
    reasoned ||= event.type === "thinking";
    emit(event);
  };
  const partOf = (index: number): Part => {
    const known = parts.get(index);
    if (known !== undefined) return known;
    const part: Part = {
      reasoning: createReasoning(telling, quirks.reasoning),
      inputs: createInputs(emit, quirks, () => inputs++),
      refused: false,
      word: undefined,
    };
    parts.set(index, part);
    return part;
  };
  /** Each part has its word by then, or the reply has no end yet. */
  const say = (provisional: false | undefined): boolean => {
    const words = [...parts.values()].map(({ word }) => word);
    const isWhole = words.length > 0 && !words.includes(undefined);
    for (const word of isWhole ? words : []) if (word !== undefined) emit({ type: "stop", ...word, provisional });
    return isWhole;
  };
  return {
    take(choice) {
      const index = choice.index ?? 0;
      if (index !== 0 && quirks.mergesChoices !== true) return;
      const part = partOf(index);
      takeDelta(part, choice, emit);
      if (!isWord(choice.finish_reason)) return;
      settle(part, emit);
      part.word = wordOf(choice.finish_reason, choice, part);
      say(undefined);
    },
    end() {
      for (const part of parts.values()) settle(part, emit);
      if (!say(false) && quirks.doneEnds && parts.size > 0) emit({ type: "stop", native: done, provisional: false });
    },
    reasoned: () => reasoned,
  };
}

function takeDelta(part: Part, choice: Choice, emit: Emit): void {
  const { reasoning, inputs } = part;
  const delta = choice.delta ?? choice.message;
  if (!delta) return;
  reasoning.take(delta);
  takeContent(delta.content, reasoning, emit);
  if (delta.refusal) {
    part.refused = true;
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
  typeof parts === "string" ? parts : Array.isArray(parts) ? parts.map(({ text }) => (typeof text === "string" ? text : "")).join("") : "";

/** Details behind everything else are replayed with the last call, or with the text. */
function settle({ reasoning, inputs }: Part, emit: Emit): void {
  inputs.settle();
  const rest = reasoning.rest();
  if (rest.length > 0 && !inputs.seal({ reasoning_details: rest })) {
    emit({ type: "seal", data: { reasoning_details: rest } satisfies ReasoningSeal });
  }
  reasoning.close();
}

/** `null`, `""` and `"null"` are what hosts send in place of a word. Throws for what is neither: a reply whose ending cannot be read has none. */
function isWord(word: unknown): word is string {
  if (word === undefined || word === null) return false;
  if (typeof word !== "string") throw new Error("The reply's finish_reason is no text.");
  return word.trim() !== "" && word !== "null";
}

function wordOf(native: string, { native_finish_reason: other }: Choice, { refused }: Part): Word {
  const detail = refused ? "refusal" : typeof other === "string" && other !== "" && other !== native ? other : undefined;
  return { native, ...(detail !== undefined && { detail }) };
}
