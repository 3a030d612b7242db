import type { Endpoint } from "@fullstop/core";

/** What the server does with a request. */
export interface Answer {
  /** 200 by default. */
  readonly status?: number | undefined;
  /** Those of an event stream by default. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent one by one, each when the client is ready for it. */
  readonly chunks: Iterable<Uint8Array<ArrayBuffer>>;
  /**
   * `reset`: the connection breaks after the last chunk. `stall`: nothing more comes, and it stays
   * open. `refuse`: it is refused before a byte is sent. By default the body ends cleanly.
   */
  readonly fault?: "reset" | "stall" | "refuse" | undefined;
  /** It answers a request for a reply in one piece: that of the subject's `wholeAdapter`. */
  readonly isWhole?: true | undefined;
  /** How long after the last chunk a `reset` comes, in milliseconds; 0 by default. */
  readonly faultDelayMs?: number | undefined;
}

/** A request as the server received it. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The body as it came over a socket. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
}

/** A request, and what was answered. */
export interface Exchange {
  readonly request: Received;
  readonly answer: Answer & { readonly chunks: readonly Uint8Array<ArrayBuffer>[] };
}

/** Answers a request. `index` counts requests from 0. */
export type RequestHandler = (request: Received, index: number) => Answer | Promise<Answer>;

/** The server to which a subject sends its requests. */
export interface Host {
  readonly endpoint: Endpoint;
  /** Bytes go over a real connection. Fewer replies are tried then. */
  readonly usesNetwork?: boolean;
  /** Sets the answer to all requests from now on. */
  answer(next: Answer | RequestHandler): void;
  /** The last request. */
  received(): Received | undefined;
  /** How many requests came. */
  count(): number;
  close(): Promise<void>;
}

export const eventStream = { "content-type": "text/event-stream; charset=utf-8" } as const;
export const jsonBody = { "content-type": "application/json" } as const;

function bodyStream(
  { chunks, fault, faultDelayMs = 0 }: Answer,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = chunks[Symbol.iterator]();
  let endStall = (): void => undefined;
  const pull = (
    controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>,
  ): void | Promise<void> => {
    const { done, value } = source.next();
    if (signal?.aborted) return controller.error(signal.reason);
    if (!done) return controller.enqueue(value);
    const breakOff = (): void =>
      controller.error(new TypeError("terminated", { cause: new Error("other side closed") }));
    if (fault === "reset" && faultDelayMs > 0)
      return new Promise((resolve) => {
        setTimeout(() => {
          breakOff();
          resolve();
        }, faultDelayMs);
      });
    if (fault === "reset") return breakOff();
    if (fault !== "stall") return controller.close();
    return new Promise((resolve) => {
      endStall = resolve;
      const end = (): void => {
        controller.error(signal?.reason);
        resolve();
      };
      signal?.addEventListener("abort", end, { once: true });
    });
  };
  return new ReadableStream({ pull, cancel: () => endStall() }, { highWaterMark: 0 });
}

/** The same chunks for each reader. The source makes each of them once, when it is needed. */
export function repeatable<Chunk>(chunks: Iterable<Chunk>): Iterable<Chunk> {
  const source = chunks[Symbol.iterator]();
  const made: Chunk[] = [];
  return {
    *[Symbol.iterator]() {
      for (let at = 0; ; at++) {
        if (at === made.length) {
          const { done, value } = source.next();
          if (done) return;
          made.push(value);
        }
        yield made[at] as Chunk;
      }
    },
  };
}

const connectionRefused = (): Error =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
  });

type FetchCall = readonly [
  input: string | URL | Request,
  init: RequestInit | undefined,
  body: string,
];

const requestBody = async (input: FetchCall[0], init: FetchCall[1]): Promise<string> =>
  typeof init?.body === "string" ? init.body : new Request(input, init).text();

function toReceived([input, init, body]: FetchCall): Received {
  const request = input instanceof Request ? input : undefined;
  const headers = new Headers(init?.headers ?? request?.headers);
  return {
    method: init?.method ?? request?.method ?? "GET",
    path: new URL(request?.url ?? String(input)).pathname,
    headers: Object.fromEntries(headers),
    body,
  };
}

/** The answers of a host. Requests are counted from the last `set`. */
export function createAnswerSource(): {
  set: Host["answer"];
  next(request: Received): Answer | Promise<Answer>;
} {
  let current: Answer | RequestHandler = { chunks: [], fault: "refuse" };
  let count = 0;
  return {
    set: (other) => {
      current = other;
      count = 0;
    },
    next: (request) => (typeof current === "function" ? current(request, count++) : current),
  };
}

/** A host without a network: the subject gets its `fetch`. */
export function inProcess(): Host {
  const answers = createAnswerSource();
  let last: FetchCall | undefined;
  let count = 0;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    last = [input, init, await requestBody(input, init)];
    count++;
    const answer = await answers.next(toReceived(last));
    if (answer.fault === "refuse") throw connectionRefused();
    return new Response(bodyStream(answer, signal), {
      status: answer.status ?? 200,
      headers: answer.headers ?? eventStream,
    });
  };
  return {
    endpoint: { baseURL: "http://provider.test", apiKey: "not-a-key", fetch },
    answer: answers.set,
    received: () => last && toReceived(last),
    count: () => count,
    close: async () => undefined,
  };
}
