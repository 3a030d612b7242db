import type { Message, TurnRequest } from "@fullstop/core";
import { adapting, asking, type Control } from "./control.ts";

const mapped = (
  request: TurnRequest,
  change: (message: Message) => readonly Message[],
): TurnRequest => ({
  ...request,
  messages: request.messages.flatMap(change),
});

/** Encoders. */
export const requestControls: readonly Control[] = [
  {
    wrong: "sends a cap of its own",
    caughtBy: "request.cap",
    subject: asking((request) => ({ ...request, maxTokens: 4096 })),
  },
  {
    wrong: "cuts results at a length, wherever that falls",
    caughtBy: "request.characters",
    subject: asking((request) =>
      mapped(request, (message) => [
        message.role === "tool"
          ? {
              ...message,
              content: message.content.map((result) => ({
                ...result,
                content: `${result.content}📄`.slice(0, -1),
              })),
            }
          : message,
      ]),
    ),
  },
  {
    wrong: "sends ids as other providers wrote them",
    caughtBy: "request.foreign",
    subject: adapting(() => ({ callIds: { maxLength: Number.POSITIVE_INFINITY, allowed: /./ } })),
  },
  {
    wrong: "drops blocks that it does not know",
    caughtBy: "request.replay",
    subject: asking((request) =>
      mapped(request, (message) => [
        message.role === "assistant"
          ? { ...message, content: message.content.filter(({ type }) => type !== "native") }
          : message,
      ]),
    ),
  },
  {
    wrong: "sends the last result of a turn only",
    caughtBy: "request.results",
    subject: asking((request) =>
      mapped(request, (message) => [
        message.role === "tool" ? { ...message, content: message.content.slice(-1) } : message,
      ]),
    ),
  },
  {
    wrong: "sends calls without results",
    caughtBy: "request.valid",
    subject: asking((request) =>
      mapped(request, (message) => (message.role === "tool" ? [] : [message])),
    ),
  },
];
