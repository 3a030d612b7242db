import type { Emit, TurnEvent } from "@fullstop/core/adapter";
import { takeDelta } from "./delta.ts";
import { type Choice, done } from "./events.ts";
import { createInputs, type Inputs } from "./inputs.ts";
import { nativeWord } from "./native.ts";
import type { ReplyQuirks } from "./quirks.ts";
import { createReasoning, type Reasoning, type ReasoningSeal } from "./reasoning.ts";
import { checkWhole } from "./whole.ts";

/** One choice of a reply, while it arrives. */
export interface Part {
  readonly reasoning: Reasoning;
  readonly inputs: Inputs;
  refused: boolean;
  hasWord: boolean;
}
interface Word {
  readonly native: string;
  readonly detail?: unknown;
}

/** A reply is its first choice, or on some hosts all of them together. */
export interface Choices {
  take(choice: Choice): void;
  /** `[DONE]`, or all of a body. `counted`: a usage report came. */
  end(counted: boolean): void;
  /** Throws for what only the whole reply shows. */
  check(): void;
  reasoned(): boolean;
}

/** What came of a reply so far. */
interface Progress {
  keys: number;
  prose: number;
  reasoned: boolean;
  hasContent: boolean;
  /** Content came behind a word. */
  doubted: boolean;
  /** Choices that said a word. */
  ended: number;
  word: Word | undefined;
}

export function createChoices(emit: Emit, quirks: ReplyQuirks): Choices {
  const parts = new Map<number, Part>();
  const open = new Set<Part>();
  const progress: Progress = {
    keys: 0,
    prose: 0,
    reasoned: false,
    hasContent: false,
    doubted: false,
    ended: 0,
    word: undefined,
  };
  const watched = watching(emit, progress);
  const shared = {
    quirks,
    emit: watched,
    nextKey: () => progress.keys++,
    prose: () => progress.prose,
  };
  const partOf = (index: number): Part => {
    const known = parts.get(index);
    if (known !== undefined) return known;
    const part = {
      reasoning: createReasoning(watched, quirks.reasoning),
      inputs: createInputs(shared),
      refused: false,
      hasWord: false,
    };
    parts.set(index, part);
    return part;
  };
  const settle = (part: Part): void => {
    settlePart(part, watched);
    open.delete(part);
  };
  return {
    take(choice) {
      const index = choice.index ?? 0;
      if (index !== 0 && quirks.mergesChoices !== true) return;
      const part = partOf(index);
      open.add(part);
      takeDelta(part, choice, watched);
      const isEnd = isWord(choice.finish_reason);
      if (isEnd) settle(part);
      takeNative(choice, emit);
      if (!isEnd) return;
      if (!part.hasWord) progress.ended++;
      part.hasWord = true;
      progress.word = wordOf(choice, part);
      emit({
        type: "stop",
        ...progress.word,
        provisional: quirks.mergesChoices || progress.doubted || undefined,
      });
    },
    end(counted) {
      for (const part of open) settle(part);
      const { word, ended } = progress;
      const refused = [...parts.values()].some((part) => part.refused);
      if (word !== undefined && ended === parts.size)
        emit({ type: "stop", ...word, ...(refused && { detail: "refusal" }), provisional: false });
      else if (parts.size > 0 && mayEnd(progress, quirks, counted))
        emit({ type: "stop", native: done, provisional: false });
    },
    check: () =>
      checkWhole(
        [...parts.values()].map(({ inputs }) => inputs),
        quirks,
      ),
    reasoned: () => progress.reasoned,
  };
}

/** Without any word, `[DONE]` ends a reply on a host that never says one, or where a usage report shows that generation has ended. */
function mayEnd(
  { word, hasContent }: Progress,
  { doneEnds }: ReplyQuirks,
  counted: boolean,
): boolean {
  return (
    doneEnds === true || (doneEnds === "counted" && counted && hasContent && word === undefined)
  );
}

/** Passes events on, and keeps what the ending depends on. */
const watching =
  (emit: Emit, progress: Progress): Emit =>
  (event) => {
    const isProse = event.type === "text" || event.type === "thinking";
    if (isProse) progress.prose++;
    progress.reasoned ||= event.type === "thinking";
    if (isContent(event)) {
      progress.hasContent = true;
      progress.doubted ||= progress.word !== undefined;
    }
    emit(event);
  };
const isContent = (event: TurnEvent): boolean =>
  !("text" in event) || event.type === "tool-input-end" || event.text !== "";

/** Details behind everything else are replayed with the last call, or with the text. */
function settlePart({ reasoning, inputs }: Part, emit: Emit): void {
  inputs.settle();
  const rest = reasoning.rest();
  if (rest.length > 0 && !inputs.seal({ reasoning_details: rest })) {
    emit({ type: "provider-data", data: { reasoning_details: rest } satisfies ReasoningSeal });
  }
  reasoning.close();
}

/** `null`, `""` and `"null"` are what hosts send in place of a word. Throws for what is neither: a reply whose ending cannot be read has none. */
function isWord(word: unknown): word is string {
  if (word === undefined || word === null) return false;
  if (typeof word !== "string") throw new Error("The reply's finish_reason is no text.");
  return word.trim() !== "" && word !== "null";
}

/** OpenRouter says the word of the provider behind it too. It can only make the reply's end worse. */
function takeNative(
  { finish_reason: word, native_finish_reason: other }: Choice,
  emit: Emit,
): void {
  if (typeof other === "string" && other !== "" && other !== word)
    emit({ type: "stop", native: nativeWord, detail: other, provisional: true });
}

function wordOf(
  { finish_reason: native, native_finish_reason: other }: Choice,
  { refused }: Part,
): Word {
  const detail = refused
    ? "refusal"
    : typeof other === "string" && other !== "" && other !== native
      ? other
      : undefined;
  return { native: native ?? "", ...(detail !== undefined && { detail }) };
}
