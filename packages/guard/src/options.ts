import type { Turn } from "@fullstop/core";
import type { StopTable } from "@fullstop/core/adapter";
import type { DialectName } from "@fullstop/provider-openai-compatible/reply";
import type { HeldTotal } from "./reply/held-total.ts";

/** A function like the global `fetch`. */
export type Fetch = typeof globalThis.fetch;

/** The protocols that the guard reads. */
export type ProtocolName =
  | "anthropic-messages"
  | "gemini-generate-content"
  | "gemini-interactions"
  | "openai-chat"
  | "openai-responses";

/** A request whose reply is guarded. */
export interface GuardedRequest {
  readonly protocol: ProtocolName;
  readonly url: URL;
  /** The model that the request names. */
  readonly model: string | undefined;
  /**
   * The provider keeps the history of the conversation (`previous_response_id`, `conversation`,
   * `store: true`, Anthropic's `thread`; Interactions without `store: false`). It would then hold calls that the client never saw, so a
   * withheld call ends such a reply with an error.
   */
  readonly isStateful: boolean;
}

/** How a host differs from the vendor of its protocol. Only members of its protocol count. */
export interface HostFacts {
  /**
   * Chat Completions and Messages: the dialect of the host. By default it is found by the address.
   */
  readonly dialect?: DialectName | undefined;
  /** Native stop reasons of the host, added to those of the protocol. */
  readonly stops?: StopTable | undefined;
  /**
   * `true` if the host reports replies as finished although the output cap cut them. A call is then
   * given out only if the usage is below the cap.
   */
  readonly mislabelsTruncation?: boolean | undefined;
  /**
   * Chat Completions: `true` if the host leaves the `finish_reason` out of finished replies. `[DONE]`
   * then ends a reply if a usage report came after its calls.
   */
  readonly doneEnds?: boolean | undefined;
  /** Responses: `true` if the host runs custom tools itself, as xAI does. */
  readonly runsCustomTools?: boolean | undefined;
  /** Anthropic: `"optional"` if the host never sends `message_stop`. */
  readonly messageStop?: "required" | "optional" | undefined;
  /** Anthropic: `"loose"` if the host skips indices of content blocks. */
  readonly blocks?: "strict" | "loose" | undefined;
  /** Gemini: `"every-chunk"` if the host puts a finish reason on every chunk. */
  readonly finishReason?: "last-chunk" | "every-chunk" | undefined;
  /** Gemini: `true` for Vertex AI. By default it is found by the address. */
  readonly vertexai?: boolean | undefined;
}

/** What the guard did with a reply. */
export type GuardAction =
  /** The reply went out as it came. */
  | "passed"
  /** The calls may run, and went out in the form that the gate granted, each once. */
  | "rewritten"
  /** The calls were withheld, and the reply got an ending without them. */
  | "ended"
  /** The reply ended as an error. */
  | "failed"
  /** Nothing of the reply was sent, and the request was sent again. */
  | "retried";

/** What became of one reply. Holds no inputs and no keys. */
export interface GuardReport extends GuardedRequest {
  /**
   * Names the reply: the header `x-fullstop-reply-id` says the same. A request that was sent again
   * has one report for each reply, all with this id. The last one is of the reply that the client
   * got. Its usage is its own, so the sum of all is what was paid.
   */
  readonly replyId: string;
  readonly action: GuardAction;
  readonly turn: Turn;
  /** The status that the client got. */
  readonly status: number;
  /** The id that the provider's support asks for. */
  readonly requestId: string | undefined;
  /** Milliseconds from the first part of a call to the verdict. 0 if the reply has no call. */
  readonly heldMs: number;
  /** The number of characters that were held. */
  readonly heldChars: number;
}

/** A request that names tools and goes to a path that the guard does not know. */
export interface UnguardedRequest {
  readonly url: URL;
  readonly reason: string;
}

/** What is known about hosts, and what becomes of withheld calls. */
export interface GuardOptions {
  /**
   * What is known about the host of a request. `"unguarded"` sends the request past the guard. By
   * default the address decides.
   */
  readonly host?: ((request: GuardedRequest) => HostFacts | "unguarded" | undefined) | undefined;
  /**
   * What becomes of a reply that arrived completely and whose calls must not run. `"end"`: it ends
   * in the provider's own protocol, without the calls. `"fail"`: it becomes an error. Default:
   * `"end"`.
   */
  readonly withheld?: "end" | "fail" | undefined;
  /**
   * The sentence in place of withheld calls. `false`: none. By default it says in brackets what was
   * held back and why, and what the person can do. It stands on a line of its own.
   */
  readonly note?: ((turn: Turn) => string | undefined) | false | undefined;
  /**
   * `true` writes granted calls in the strict form of their protocol: an id for each, `{}` for an
   * empty input, and the stop reason that belongs to calls. By default they go out byte for byte.
   */
  readonly normalizeCalls?: boolean | undefined;
  /** `true` refuses requests that name tools and that the guard cannot judge. Default: `false`. */
  readonly strict?: boolean | undefined;
  /**
   * How often the guard sends a request again if its reply broke before a part of it was sent to the
   * client. Default: 0, because most clients send it again themselves. A rate limit or an overload is
   * left to the client, and so is a request that the provider may keep already (`conversation`,
   * `thread`, `background`).
   */
  readonly retries?: number | undefined;
  /**
   * `true`: if calls are withheld and nothing was sent to the client yet, the guard sends the request
   * once more, with the client's own messages: after a cut with twice the output cap that it names,
   * up to the largest that is known for the model, and after an input that cannot be used as it was.
   * It does not for a full window, not in a conversation in which that did not help, and not if the
   * client goes on behind the note. The same if the reply ends in a call that the model wrote as text
   * (`turn.leakedCall`): text goes out at once, so that is only for replies that are not streamed. If
   * the second request fails, the client gets the first reply's ending. Default: `false`.
   */
  readonly reask?: boolean | undefined;
  /**
   * Milliseconds of silence after which the client gets a sign of life while calls are held.
   * Default: 15,000. `Infinity`: never.
   */
  readonly keepAliveMs?: number | undefined;
  /**
   * Milliseconds that the guard waits at most for the connection to close, after the protocol's own
   * end of a reply with calls. An error or more content in this time revokes the reply. 0: the calls
   * go out at the end. Default: 2,000, as in the core.
   */
  readonly closeMs?: number | undefined;
  /**
   * The largest number of characters of one reply that is held. A text that goes out while it
   * arrives is not held: it may have 64 Mi characters, or `maxHeld` if that is more. Default: 64 Mi.
   */
  readonly maxHeld?: number | undefined;
  /**
   * The largest compressed request body that the guard reads, in bytes after decoding. A larger one
   * gets status 413. Default: 64 Mi.
   */
  readonly maxDecoded?: number | undefined;
  /**
   * Bounds what all replies hold together, also those of other guards: made with `createHeldTotal`.
   * A request that does not fit gets status 503. Default: no limit.
   */
  readonly heldTotal?: HeldTotal | undefined;
  /** Receives a report after each guarded reply. */
  readonly onReply?: ((report: GuardReport) => void) | undefined;
  /**
   * Receives the first request to each path that names tools and that the guard does not know. By
   * default a warning on the console.
   */
  readonly onUnguarded?: ((request: UnguardedRequest) => void) | undefined;
}
