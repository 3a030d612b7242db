import type { Preview, Turn, WithheldCall } from "@fullstop/core";
import type { InputKey } from "@fullstop/core/adapter";
import type { UiChunk } from "./chunk.ts";

type TextKind = "text" | "reasoning";
type InputStart = Extract<Preview, { readonly type: "tool-input-start" }>;

export type TextPreview = Pick<
  Extract<Preview, { readonly type: "text" | "thinking" }>,
  "type" | "text"
>;

export interface ReplyPreview {
  add(preview: Preview): void;
  hasParts(): boolean;
  /** Whether the page shows the text of this turn and its first calls, in their order. */
  isOf(turn: Pick<Turn, "text" | "calls" | "withheld">): boolean;
  closeText(): void;
}

export interface PreviewOptions {
  readonly emit: (chunk: UiChunk) => void;
  readonly showsReasoning: boolean;
  /** A new id for a part of text. */
  readonly nextId: () => string;
  /** Ids that the page already shows. The gate gives a call with such an id another one. */
  readonly takenIds: ReadonlySet<string>;
}

interface PreviewedInput {
  readonly id: string;
  readonly name: string;
}

/** A call is shown when its id and name are known, because the protocol can change neither. */
export function createReplyPreview(options: PreviewOptions): ReplyPreview {
  const { emit, takenIds } = options;
  const texts = createTexts(options);
  const inputs = new Map<InputKey, PreviewedInput>();
  const waiting = new Map<InputKey, string>();
  const starts = new Map<InputKey, Partial<InputStart>>();

  const startInput = (start: InputStart): void => {
    const { key, id = starts.get(key)?.id, name = starts.get(key)?.name, kind } = start;
    if (inputs.has(key) || start.echo) return;
    starts.set(key, { id, name });
    if (!id || !name || takenIds.has(id) || isShown(id)) return;
    texts.close();
    inputs.set(key, { id, name });
    const encoding = kind === "text" && ({ inputEncoding: "text" } as const);
    emit({ type: "tool-input-start", toolCallId: id, toolName: name, ...encoding });
    const early = waiting.get(key);
    if (early !== undefined) addDelta(key, early);
  };
  const isShown = (id: string): boolean => [...inputs.values()].some((input) => input.id === id);
  const addDelta = (key: InputKey, text: string): void => {
    const input = inputs.get(key);
    if (input === undefined) waiting.set(key, (waiting.get(key) ?? "") + text);
    else emit({ type: "tool-input-delta", toolCallId: input.id, inputTextDelta: text });
  };
  return {
    add: (preview) => {
      if (preview.type === "text") texts.add("text", preview.text);
      else if (preview.type === "thinking") texts.add("reasoning", preview.text);
      else if (preview.type === "tool-input-start") startInput(preview);
      else if (preview.type === "tool-input-delta") addDelta(preview.key, preview.text);
    },
    hasParts: () => texts.hasAny() || inputs.size > 0,
    isOf: ({ text, calls, withheld }) => {
      const shown = [...inputs.values()].map(nameOf);
      const ofTurn = [...calls, ...withheld].map(nameOf);
      return texts.shown() === text && shown.every((name, index) => ofTurn[index] === name);
    },
    closeText: texts.close,
  };
}

const nameOf = ({ id, name }: Pick<WithheldCall, "id" | "name">): string =>
  JSON.stringify([id, name]);

function createTexts({ emit, showsReasoning, nextId }: PreviewOptions) {
  let open: { readonly kind: TextKind; readonly id: string } | undefined;
  let hasAny = false;
  let shown = "";
  const close = (): void => {
    if (open !== undefined) emit({ type: `${open.kind}-end`, id: open.id });
    open = undefined;
  };
  return {
    add: (kind: TextKind, delta: string): void => {
      if (delta === "" || (kind === "reasoning" && !showsReasoning)) return;
      if (open?.kind !== kind) {
        close();
        open = { kind, id: nextId() };
        emit({ type: `${kind}-start`, id: open.id });
      }
      hasAny = true;
      if (kind === "text") shown += delta;
      emit({ type: `${kind}-delta`, id: open.id, delta });
    },
    close,
    hasAny: (): boolean => hasAny,
    /** The text without the reasoning. */
    shown: (): string => shown,
  };
}
