import type { PublicEvent } from "@fullstop/ui";

/** An event as a client reads it. */
export interface ReceivedEvent {
  readonly id: string | undefined;
  readonly data: string;
}

/** The events of a response, one by one. Comments are not events. */
export async function* eventsOf(response: Response): AsyncGenerator<ReceivedEvent, void> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = readBlock(block);
      if (event !== undefined) yield event;
    }
  }
}

function readBlock(block: string): ReceivedEvent | undefined {
  const fields = new Map(
    block.split("\n").map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at), line.slice(at + 1).trimStart()];
    }),
  );
  const data = fields.get("data");
  return data === undefined ? undefined : { id: fields.get("id"), data };
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

export const parsed = (events: readonly ReceivedEvent[]): readonly PublicEvent[] =>
  events.map(({ data }) => JSON.parse(data) as PublicEvent);
