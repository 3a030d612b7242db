import { setTimeout as sleep } from "node:timers/promises";

/** Characters of a reply that arrive in a second; all at once where nobody watches. */
export const paces = { fast: Number.POSITIVE_INFINITY, watch: 16_000, slow: 4_000 } as const;
export type Pace = keyof typeof paces;

/** `fetch` over a slow line: what arrived is handed on bit by bit, and then what became of the connection. */
export const pacedFetch = (pace: Pace): typeof globalThis.fetch | undefined => {
  const perSecond = paces[pace];
  if (!Number.isFinite(perSecond)) return undefined;
  return async (input, init) => {
    const response = await fetch(input, init);
    const signal = init?.signal ?? undefined;
    return new Response(
      response.body && streamOf(slowly(response.body, { perSecond, signal })),
      response,
    );
  };
};

function streamOf<T>(iterator: AsyncGenerator<T>): ReadableStream<T> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await iterator.return(undefined);
    },
  });
}

const tickMs = 25;

async function* slowly(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { perSecond, signal }: { perSecond: number; signal: AbortSignal | undefined },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const bytes = Math.ceil((perSecond * tickMs) / 1000);
  const { arrived, failure } = await all(body);
  for (let at = 0; at < arrived.length; at += bytes) {
    await sleep(tickMs, undefined, { signal });
    yield arrived.subarray(at, at + bytes);
  }
  if (failure !== undefined) throw failure.thrown;
}

async function all(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<{
  readonly arrived: Uint8Array<ArrayBuffer>;
  readonly failure?: { readonly thrown: unknown };
}> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const arrived = async (): Promise<Uint8Array<ArrayBuffer>> =>
    new Uint8Array(await new Blob(pieces).arrayBuffer());
  try {
    for await (const piece of body) pieces.push(piece);
  } catch (thrown) {
    return { arrived: await arrived(), failure: { thrown } };
  }
  return { arrived: await arrived() };
}
