import type { ErrorKind } from "@fullstop/core";
import type { ClaimedStop } from "@fullstop/core/adapter";
import type { WireClient } from "./client.ts";
import type { ExpectedTurn } from "./fixtures/turn.ts";
import type { FramingName } from "./framing/framing.ts";
import type { Received } from "./harness/host.ts";
import type { HeldConversations } from "./held.ts";
import type { Evidence, ReplySources } from "./reference.ts";

/**
 * The data of a reply's events, in order. The last of `upToTerminal` is the protocol's terminal;
 * `after` is what servers send after it.
 */
export interface Frames {
  readonly upToTerminal: readonly string[];
  readonly after?: readonly string[];
}

/** Text in a reply. */
export interface ReplyText {
  readonly text: string;
}
/** A tool call in a reply. */
export interface ReplyCall {
  readonly name: string;
  readonly id: string;
  readonly input: object;
  /** The input as the model writes it, if that is not the JSON of `input`. */
  readonly inputText?: string;
  readonly namespace?: string;
}
/** A reply that can be written in every protocol. */
export interface Reply {
  readonly blocks: readonly (ReplyText | ReplyCall)[];
  /** The native stop reason. */
  readonly stop: string;
  /** The output tokens that the reply reports. */
  readonly output: number;
}

/** A reply, and the turn that it must read as. */
export interface Fixture {
  /** A sentence that names it. */
  readonly name: string;
  /** The name of its file without the extension, if it came from one. */
  readonly file?: string;
  readonly frames: Frames;
  /** The same reply in one JSON body, as the answer to a request that does not stream. */
  readonly body?: string;
  readonly turn: ExpectedTurn;
  /** The terminal has content too, so that a copy of it changes the turn. */
  readonly contentInTerminal?: true;
  /** JSON values that the next request must contain. */
  readonly replays?: readonly unknown[];
  /** JSON values that the next request must not contain. */
  readonly omits?: readonly unknown[];
  /** A public source. */
  readonly source?: string;
  /** What the source shows. */
  readonly evidence?: Evidence;
}

/** An error inside a reply, as one event. */
export interface InBandError {
  readonly frame: string;
  readonly kind: ErrorKind;
}
/** An error status with the body that the vendor sends. */
export interface HttpFailure {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly kind: ErrorKind;
}

/** A tool that a request offers. */
export interface OfferedTool {
  readonly name: string;
  /** JSON Schema. Empty for a tool whose input is text. */
  readonly inputSchema: unknown;
  /** Its input is text in a language of its own, not JSON. */
  readonly takesText?: true;
  /** The namespace in which it is offered. */
  readonly namespace?: string;
}
/** The result of a call that a request holds. */
export interface SentResult {
  /** The id of the call, or its name if it has no id. */
  readonly call: string;
  readonly text: string;
}
/** What a conversation begins with. */
export interface Opening {
  /** The instructions to the model; empty if there are none. */
  readonly system: string;
  /** The text of the first message of the user. Empty if none is sent, or the provider keeps it. */
  readonly firstMessage: string;
}
/** How a vendor answers questions about its models. */
export interface ModelRoutes {
  /** Whether a request for models, which vendors tell apart by path and headers, is for this one. */
  isAsked(request: Received): boolean;
  /** The JSON of one model. Every model that is asked for exists. */
  one(name: string): unknown;
  list(): unknown;
}
/** How agents in other processes speak a protocol. */
export interface AgentWire {
  /** Matches the paths of its requests. */
  readonly route: RegExp;
  /** The variables in which SDKs look for a server and a key. `server` has no slash at its end. */
  env(server: string): Readonly<Record<string, string>>;
  streams(request: Received): boolean;
  tools(body: unknown): readonly OfferedTool[];
  results(body: unknown): readonly SentResult[];
  /** Whether a request forces the model to call a tool. Absent if that changes no stop reason. */
  forcesCall?(body: unknown): boolean;
  /** Tells the conversations of a program apart. */
  opening?(body: unknown): Opening;
  readonly models?: ModelRoutes;
  /** The call with which the model ends a conversation. By default it ends with a text. */
  readonly finalCall?: ReplyCall;
  /** The text of a reply is what runs. The agent offers no tools, and the model calls none. */
  readonly actsOnText?: true;
  /** The ids in an event or a body of a reply that no other reply of the provider has. */
  replyIds?(event: unknown): readonly string[];
  /** Absent if every request of the protocol holds its whole history. */
  readonly held?: HeldConversations;
}

/** A vendor's rule that a request body breaks. */
export interface Violation {
  /** The rule, in the words of the vendor's error if they are known. */
  readonly message: string;
  /** The part of the body that breaks it, such as a message. Absent if it is the whole body. */
  readonly part?: unknown;
  /** `should` if nothing public shows that the vendor refuses this. `must` by default. */
  readonly level?: "must" | "should";
}

/** A turn that the provider pauses while a tool of its own runs. The client sends it back. */
export interface PausedReply {
  /** The native stop reason. */
  readonly stop: string;
  /** Whether a request offers tools of the provider. Without one it never pauses. */
  canFollow(body: unknown): boolean;
  /** The file of the fixture that is such a reply. */
  readonly fixture: string;
}

/** A mistake of hosts: they say a call of a finished reply a second time. */
export interface CallRepetition {
  /** Unique among the scripts of loops. */
  readonly id: string;
  /** What the host does, as a phrase behind a call. */
  readonly how: string;
  /** A finished reply whose last block is a call, with this mistake. */
  repeat(frames: Frames): Frames;
}

/** A protocol from the server's side. It shares no code with a decoder. */
export interface Wire {
  readonly name: string;
  /**
   * How its events become bytes. `"sse"`: server-sent events, the default. `"ndjson"`: each line is
   * the data of an event. `"aws"`: the AWS event stream; the data of an event is `{"<type>": <JSON of
   * the payload>}`, that of an exception has a type that ends in `Exception`, and that of an error is
   * `{":error-code": …, ":error-message": …}`.
   */
  readonly framing?: FramingName;
  /** The native stop reason for each reason that the protocol can claim. */
  readonly nativeStops: Readonly<Partial<Record<ClaimedStop, string>>>;
  /**
   * Those of `nativeStops` that the vendor does not list, or never sends over HTTP. Hosts of the
   * protocol send them. For loops and agents they are unknown.
   */
  readonly unlistedStops?: readonly string[];
  /**
   * Native stop reasons beside which no public recording of the vendor has a call. Loops and agents
   * are asked about a call under them, and only should keep it.
   */
  readonly stopsWithoutCalls?: readonly string[];
  /**
   * The vendor says to run calls under the native stop reason for calls. So loops and agents need
   * not run a call under that of a finished text.
   */
  readonly callsNeedTheirStop?: true;
  /** The type of the last event of a stream says the native stop reason, too. */
  readonly endIsTyped?: true;
  /** How many events follow the one with the native stop reason, up to the terminal. 0 by default. */
  readonly eventsAfterStop?: number;
  /** For protocols whose provider pauses turns. */
  readonly pause?: PausedReply;
  frames(reply: Reply): Frames;
  /** The reply without the event that closes its last call, if the protocol closes each call. */
  unclosed?(reply: Reply): Frames;
  /**
   * How hosts say a call twice that has another id, or none, the second time. Absent if the protocol
   * says a call in one event or one list.
   */
  readonly repetitions?: readonly CallRepetition[];
  /** The terminal is the protocol's own end: after it, the connection does not matter. */
  readonly ends?: true;
  /**
   * Replies that `frames` cannot make (reasoning, server tools, two stop reasons), and recorded
   * ones. They answer a request with the cap `cap`.
   */
  readonly fixtures?: readonly Fixture[];
  readonly errors?: readonly InBandError[];
  readonly failures?: readonly HttpFailure[];
  /** The body of the same reply to a request that does not stream. */
  whole?(reply: Reply): string;
  /** Whether a request asks for a stream. By default what `agent` says. */
  streams?(request: Received): boolean;
  /**
   * The vendor's rules that a request body breaks. Rules of this repository do not belong here.
   * Without `request` the rules of the vendor's newest models apply.
   */
  violations(body: unknown, request?: Pick<Received, "path">): readonly Violation[];
  /** What shows that the replies that loops and agents get are sent. */
  readonly sources?: ReplySources;
  /** Needed to judge agents in other processes. */
  readonly agent?: AgentWire;
  /** Needed to judge guards. */
  readonly client?: WireClient;
}
