import type { Usage } from "./message.ts";

/**
 * What a decoder may emit:
 *
 * - a decoder does not map stop reasons, open or close text, parse inputs or create ids: the core
 *   does;
 * - `tool-input-end` means that the protocol reported this input as complete. The end of the turn
 *   is not enough. If it has a `text`, that is the input, and the deltas before it were a preview;
 * - `echo` marks an input that repeats another one in another form. It counts only if no other
 *   input came;
 * - a start may be repeated: the first id and name that are not blank count. An end without a start
 *   is ignored;
 * - within one native event, content comes before `stop`. Of each field of a usage the largest
 *   counts; they are never added.
 */
export type TurnEvent =
  | Preview
  /**
   * Opaque data that the provider wants back with the preceding block, or with the input `key`. It
   * ends that block.
   */
  | { readonly type: "provider-data"; readonly data: unknown; readonly key?: InputKey | undefined }
  /** A block that only its provider understands. It is kept verbatim. */
  | {
      readonly type: "native";
      readonly data: unknown;
      readonly opens?: string | undefined;
      readonly closes?: string | undefined;
    }
  /** A provider-executed tool with side effects has started. Emit it for unknown tools too. */
  | { readonly type: "side-effects" }
  | {
      readonly type: "meta";
      readonly id?: string | undefined;
      readonly model?: string | undefined;
      /** The output cap that the reply states about itself, if it is one. */
      readonly maxTokens?: number | undefined;
      readonly resume?: unknown;
    }
  | { readonly type: "usage"; readonly usage: Partial<Usage> }
  /**
   * The native stop reason. `provisional: true`: the protocol's own end still has to come
   * (Anthropic `message_delta`). `false`: this is that end (`message_stop`, `[DONE]`). Absent: it
   * counts unless content follows. See `StopState`. `implied`: the provider gave no reason, and the
   * end of the reply stands for it; it does not show that an input without text is complete.
   */
  | {
      readonly type: "stop";
      readonly native: string;
      readonly detail?: unknown;
      readonly provisional?: boolean | undefined;
      readonly implied?: true | undefined;
    }
  /**
   * An error inside the reply. The adapter's `errors` give the kind of `native`. `unexplained`: the
   * provider says that it failed, and not why. A later error that says why counts instead.
   */
  | {
      readonly type: "error";
      readonly native: string;
      readonly message: string;
      readonly unexplained?: true | undefined;
    };

/** Identifies one input of a reply while it arrives: an index, an item number, or an id. */
export type InputKey = string | number;

/** What may be shown while a reply arrives. Nothing in a preview can be run. */
export type Preview =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | {
      readonly type: "tool-input-start";
      /** Identifies the input in the following previews of this reply. */
      readonly key: InputKey;
      /** The provider's own id of the call. */
      readonly id?: string | undefined;
      /** The tool. It may come later, or never. */
      readonly name?: string | undefined;
      /** A free-form input: text, not JSON. */
      readonly kind?: "text" | undefined;
      /** The provider asks whether it may run one of its own tools. */
      readonly asks?: "approval" | undefined;
      /** It repeats another input in another form. */
      readonly echo?: true | undefined;
    }
  | { readonly type: "tool-input-delta"; readonly key: InputKey; readonly text: string }
  | { readonly type: "tool-input-end"; readonly key: InputKey; readonly text?: string | undefined };

/**
 * Reads the native events of one reply. If the native stop reason is valid, `settle` is called once
 * before the verdict. It throws if the whole reply contradicts itself or has a gap, and emits
 * nothing. The error of the turn has the sentence of what either throws, unless it is a `TypeError`,
 * which the engine throws for an event of another form.
 */
export interface Decoder<Native> {
  (native: Native): void;
  settle?(): void;
}

/** Receives what a decoder reads. */
export type Emit = (event: TurnEvent) => void;
