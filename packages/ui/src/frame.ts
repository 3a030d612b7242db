import type { StreamFrame } from "./log/stream-log.ts";

const encoder = new TextEncoder();

/** Text of an event stream that is not an event, or has no id. */
export const toBytes = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text);

/** An event without an id: a client that comes back does not name it. */
export const looseEvent = (data: string): Uint8Array<ArrayBuffer> => toBytes(`data: ${data}\n\n`);

/** Numbers the events of one stream. Another stream never has the same ids. */
export function createFramer(): (data: string) => StreamFrame {
  const stream = crypto.randomUUID();
  let count = 0;
  return (data) => {
    const id = `${stream}.${++count}`;
    return { id, bytes: toBytes(`id: ${id}\ndata: ${data}\n\n`) };
  };
}
