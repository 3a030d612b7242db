import type OpenAI from "openai";

/** What is sent over the socket: the parameters of a request, without those of the transport. */
export interface CreateEvent
  extends Omit<OpenAI.Responses.ResponseCreateParamsNonStreaming, "stream" | "background"> {
  readonly type: "response.create";
}

/** An event of a reply. Other members depend on its type. */
export interface ReplyEvent {
  readonly type?: unknown;
  readonly response?: {
    readonly id?: unknown;
    readonly status?: unknown;
    readonly output?: unknown;
  };
  /** The HTTP status that the same error has without a socket. */
  readonly status?: unknown;
  readonly error?: unknown;
  readonly headers?: unknown;
}

/** After one of these the reply has no further event. */
const lastEvents: ReadonlySet<unknown> = new Set([
  "response.completed",
  "response.incomplete",
  "response.failed",
  "error",
]);
export const isLast = ({ type }: ReplyEvent): boolean => lastEvents.has(type);
