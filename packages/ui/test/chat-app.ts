import { type Outcome, type RunOptions, run } from "@fullstop/loop";
import {
  createRunStreams,
  type RunStreams,
  readUiAnswers,
  readUiMessages,
  resumeUi,
  type UiOptions,
  uiResponse,
} from "@fullstop/ui";
import type { UIMessage } from "ai";
import type { Handler } from "./server.ts";

/** The body that `useChat` sends. */
interface ChatRequest {
  readonly id: string;
  readonly messages: readonly UIMessage[];
}

/** A server for `useChat`, as the README has one. */
export interface ChatApp {
  readonly handler: Handler;
  /** The outcomes of the runs so far. */
  readonly outcomes: readonly Outcome[];
  /** What the page sent last. */
  lastMessages(): readonly UIMessage[];
}

/** `streams`: pages can come back. */
export function chatApp(
  options: Omit<RunOptions, "messages" | "waiting">,
  response: UiOptions & { readonly resumable?: boolean } = {},
): ChatApp {
  const { resumable = false, ...uiOptions } = response;
  const streams = createRunStreams();
  const waiting = new Map<string, Outcome>();
  const outcomes: Outcome[] = [];
  let lastMessages: readonly UIMessage[] = [];

  const post = async (request: Request): Promise<Response> => {
    const { id, messages } = (await request.json()) as ChatRequest;
    lastMessages = messages;
    const before = waiting.get(id);
    const answers =
      before?.status === "waiting" ? readUiAnswers(messages, before.calls) : undefined;
    if (answers !== undefined) waiting.delete(id);
    else if (messages.at(-1)?.role === "assistant")
      return new Response("This was answered already. Load the page again.", { status: 409 });
    const next =
      before === undefined || answers === undefined
        ? run({ ...options, messages: readUiMessages(messages) })
        : run({
            ...options,
            messages: before.messages,
            waiting: { turn: before.turn, ...answers },
          });
    const onEnd = (outcome: Outcome): void => {
      outcomes.push(outcome);
      waiting.delete(id);
      if (outcome.status === "waiting") waiting.set(id, outcome);
    };
    const kept = resumable && { streams, streamId: id };
    return uiResponse(next, { messages, onEnd, ...kept, ...uiOptions });
  };
  return {
    outcomes,
    lastMessages: () => lastMessages,
    handler: (request) => routes(request, post, streams),
  };
}

/** `/api/chat`, `/api/chat/<id>/stream` and `/api/chat/<id>/stop`. */
async function routes(request: Request, post: Handler, streams: RunStreams): Promise<Response> {
  const [, , , id = "", action] = new URL(request.url).pathname.split("/");
  if (action === "stream") return resumeUi(streams, id, request);
  if (action === "stop") return Response.json({ stopped: await streams.stop(id) });
  return post(request);
}
