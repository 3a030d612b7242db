import type { Usage } from "./message.ts";

/**
 * The grammar of a reply, as a decoder tells it:
 *
 * - it never maps a stop reason, opens or closes text, parses an input or mints an id: the core does;
 * - `tool-input-end` is sent when the protocol says of this input that it is whole, never because the turn ended;
 *   where it carries `text`, that counts and the pieces were a preview;
 * - `echo` marks an input that says another one once more, in another form: it counts only where no other input came;
 * - a start may be repeated: the first non-blank id and name win; an end for a key never started means nothing;
 * - inside one native event, content comes before `stop`; usage fields replace, never add.
 */
export type TurnEvent =
  | Preview
  /** Opaque data wanted back with the block before it, or with input `key`; it closes that block. */
  | { readonly type: "provider-data"; readonly data: unknown; readonly key?: InputKey | undefined }
  /** A block that only its provider understands, kept verbatim. */
  | {
      readonly type: "native";
      readonly data: unknown;
      readonly opens?: string | undefined;
      readonly closes?: string | undefined;
    }
  /** A tool that the provider runs itself has begun, and may change something. Of one that is not known, this is to be assumed. */
  | { readonly type: "side-effects" }
  | {
      readonly type: "meta";
      readonly id?: string | undefined;
      readonly model?: string | undefined;
      readonly resume?: unknown;
    }
  | { readonly type: "usage"; readonly usage: Partial<Usage> }
  /**
   * The provider's word for why it ends. `provisional: true`: the protocol's own end still has to come (Anthropic `message_delta`);
   * `false`: this is that end (`message_stop`, `[DONE]`); absent: it stands until content follows. See `StopState`.
   */
  | {
      readonly type: "stop";
      readonly native: string;
      readonly detail?: unknown;
      readonly provisional?: boolean | undefined;
    }
  /** An error inside the reply; `native` is looked up in the adapter's `errors`. */
  | { readonly type: "error"; readonly native: string; readonly message: string };

/** Tells one input of a reply from another while it arrives: an index, an item number, an id. */
export type InputKey = string | number;

/** What people may watch while it arrives. Nothing in a preview can be run. */
export type Preview =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | {
      readonly type: "tool-input-start";
      readonly key: InputKey;
      readonly id?: string | undefined;
      readonly name?: string | undefined;
      readonly kind?: "text" | undefined;
      readonly echo?: true | undefined;
    }
  | { readonly type: "tool-input-delta"; readonly key: InputKey; readonly text: string }
  | { readonly type: "tool-input-end"; readonly key: InputKey; readonly text?: string | undefined };

/**
 * Reads the native events of one reply. `settle` is called once, before the verdict, if a native stop reason stands: it throws where the reply,
 * as a whole, contradicts itself or has a gap. It says nothing more.
 */
export interface Decoder<Native> {
  (native: Native): void;
  settle?(): void;
}

/** Where a decoder says what it read. */
export type Emit = (event: TurnEvent) => void;
