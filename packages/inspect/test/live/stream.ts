import type { LiveServer } from "../../src/live/index.ts";

/** A message of a stream of Server-Sent Events. */
export interface StreamMessage {
  readonly id: string;
  readonly event?: string;
  readonly data?: string;
}

/** A client with a real connection. */
export interface StreamClient {
  readonly response: Response;
  /** Waits for so many messages more. Fewer: the stream has ended. */
  take(count: number): Promise<readonly StreamMessage[]>;
  close(): Promise<void>;
}

export const eventsOf = ({ url }: LiveServer): string => `${url}events`;

/** Connects, as `EventSource` does after it got the line `lastId`. */
export async function connect(server: LiveServer, lastId?: number): Promise<StreamClient> {
  const left = new AbortController();
  const response = await fetch(eventsOf(server), {
    headers: lastId === undefined ? {} : { "last-event-id": String(lastId) },
    signal: left.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const take = async (count: number): Promise<readonly StreamMessage[]> => {
    const messages: StreamMessage[] = [];
    while (messages.length < count) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        messages.push(...readMessage(text.slice(0, end)));
        text = text.slice(end + 2);
        continue;
      }
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      text += value;
    }
    return messages;
  };
  return {
    response,
    take,
    close: async () => {
      left.abort();
      await reader?.cancel().catch(() => undefined);
    },
  };
}

/** Nothing for a comment and for the delay of the next connection. */
function readMessage(text: string): readonly StreamMessage[] {
  const fields = text.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
  const message = Object.fromEntries(fields.map(([, name = "", value]) => [name, value]));
  return message["id"] === undefined ? [] : [message as unknown as StreamMessage];
}

/** The messages of lines, whose ids are numbers. */
export const messagesOf = (lines: readonly string[], first = 1): readonly StreamMessage[] =>
  lines.map((data, index) => ({ id: String(first + index), data }));
