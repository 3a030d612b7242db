import { withinTime } from "@fullstop/core/adapter";
import { toBytes } from "./frame.ts";
import type { StreamFrame } from "./log/stream-log.ts";
import type { StreamClient } from "./run-streams.ts";

const heartbeat = toBytes(": heartbeat\n\n");

export interface BodyOptions {
  readonly heartbeatMs: number;
  readonly opening: Uint8Array<ArrayBuffer>;
  /** The last bytes if reading fails, such as for a client that is too far behind. */
  readonly failure: (thrown: unknown) => Uint8Array<ArrayBuffer>;
}

/** Nothing is taken from the log before the client has room for it. */
export function clientBody(
  { frames, leave }: StreamClient,
  { heartbeatMs, opening, failure }: BodyOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const batches = frames[Symbol.asyncIterator]();
  let next: Promise<IteratorResult<readonly StreamFrame[]>> | undefined;
  const takeNext = async (): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    next ??= batches.next();
    const result = await withinTime(next, heartbeatMs);
    if (result === undefined) return heartbeat;
    next = undefined;
    return result.done ? undefined : joined(result.value);
  };
  const end = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void => {
    leave();
    controller.close();
  };
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      start: (controller) => controller.enqueue(opening),
      pull: async (controller) => {
        try {
          const bytes = await takeNext();
          if (bytes === undefined) end(controller);
          else controller.enqueue(bytes);
        } catch (thrown) {
          controller.enqueue(failure(thrown));
          end(controller);
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}

function joined(frames: readonly StreamFrame[]): Uint8Array<ArrayBuffer> {
  const [first] = frames;
  if (frames.length === 1 && first !== undefined) return first.bytes;
  const whole = new Uint8Array(frames.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let offset = 0;
  for (const { bytes } of frames) {
    whole.set(bytes, offset);
    offset += bytes.length;
  }
  return whole;
}
