import type { Outcome, RunOptions } from "@fullstop/loop";
import { type ChatHandlerOptions, chatHandler, createRunStreams } from "@fullstop/ui";
import type { UIMessage } from "ai";
import type { Handler } from "./server.ts";

/** A server for `useChat`, as the README has one. */
export interface ChatApp {
  readonly handler: Handler;
  /** The outcomes of the runs so far. */
  readonly outcomes: readonly Outcome[];
  /** What the page sent last. */
  lastMessages(): readonly UIMessage[];
}

/** `resumable`: pages can come back. */
export function chatApp(
  options: Omit<RunOptions, "messages" | "waiting">,
  response: Partial<ChatHandlerOptions> & { readonly resumable?: boolean } = {},
): ChatApp {
  const { resumable = false, ...more } = response;
  const outcomes: Outcome[] = [];
  let lastMessages: readonly UIMessage[] = [];
  const answer = chatHandler({
    ...options,
    ...(resumable && { streams: createRunStreams() }),
    onEnd: (outcome) => void outcomes.push(outcome),
    ...more,
  });
  return {
    outcomes,
    lastMessages: () => lastMessages,
    handler: async (request) => {
      const body = await request
        .clone()
        .json()
        .catch(() => ({}));
      lastMessages = body.messages ?? lastMessages;
      return answer(request);
    },
  };
}
