import type { ErrorKind } from "@fullstop/core";
import type { ClaimedStop } from "@fullstop/core/adapter";
import type { ExpectedTurn } from "./fixtures/turn.ts";
import type { Received } from "./harness/host.ts";

/** The data of a reply's events, in order. `upToTerminal` ends with the protocol's terminal; `after` is what servers send behind it. */
export interface Frames {
  readonly upToTerminal: readonly string[];
  readonly after?: readonly string[];
}

/** Words in a reply. */
export interface ReplyText {
  readonly text: string;
}
/** A tool call in a reply. */
export interface ReplyCall {
  readonly name: string;
  readonly id: string;
  readonly input: object;
}
/** A reply that every protocol can say. */
export interface Reply {
  readonly blocks: readonly (ReplyText | ReplyCall)[];
  /** The native word. */
  readonly stop: string;
  /** Output tokens reported. */
  readonly output: number;
}

/** A reply, and the turn that it must read as. */
export interface Fixture {
  /** A sentence that names it. */
  readonly name: string;
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
  /** JSON Schema. */
  readonly inputSchema: unknown;
}
/** The result of a call that a request holds. */
export interface SentResult {
  /** The call's id; its name where there is none. */
  readonly call: string;
  readonly text: string;
}
/** How agents in processes of their own speak a protocol. */
export interface AgentWire {
  /** Matches the paths of its requests. */
  readonly route: RegExp;
  /** The variables in which SDKs look for a server and a key. `server` has no slash at its end. */
  env(server: string): Readonly<Record<string, string>>;
  /** Whether a request asks for a stream. */
  streams(request: Received): boolean;
  tools(body: unknown): readonly OfferedTool[];
  results(body: unknown): readonly SentResult[];
}

/** A protocol from the server's side. Shares no code with a decoder; `violations` is the vendor's rules, none of ours. */
export interface Wire {
  readonly name: string;
  /** The native word for each reason that the protocol can claim. */
  readonly nativeStops: Readonly<Partial<Record<ClaimedStop, string>>>;
  frames(reply: Reply): Frames;
  /** The reply, with nothing that closes its last call: where the protocol closes each. */
  unclosed?(reply: Reply): Frames;
  /** The terminal is the protocol's own end: what becomes of the connection behind it changes nothing. */
  readonly ends?: true;
  /** Replies that `frames` cannot make (reasoning, server tools, two stop reasons), and recorded ones. They answer a request with the cap `cap`. */
  readonly fixtures?: readonly Fixture[];
  readonly errors?: readonly InBandError[];
  readonly failures?: readonly HttpFailure[];
  /** The body of the same reply to a request that does not stream. */
  whole?(reply: Reply): string;
  /** The vendor's rules that a request body breaks, a sentence each. */
  violations(body: unknown): readonly string[];
  /** What it takes to judge an agent in a process of its own. */
  readonly agent?: AgentWire;
}
