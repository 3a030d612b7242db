import type { Endpoint } from "@fullstop/core";

/** What the server side does with a request. */
export interface Answer {
  /** 200 unless told. */
  readonly status?: number | undefined;
  /** An event stream unless told. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent one by one, each when the client is ready for it. */
  readonly chunks: Iterable<Uint8Array<ArrayBuffer>>;
  /** After the last chunk the connection breaks, or stays silent; or it is refused before a byte is sent. A clean end unless told. */
  readonly fault?: "reset" | "stall" | "refuse" | undefined;
}
/** What the server side saw. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What to answer to a request, the `n`th from 0. */
export type RequestHandler = (request: Received, n: number) => Answer | Promise<Answer>;

/** Where a subject's requests go: each gets the answer set before it. */
export interface Host {
  readonly endpoint: Endpoint;
  /** Bytes travel for real: a part of the replies is asked for. */
  readonly usesNetwork?: boolean;
  /** Sets what all requests from now on get, or what says so of each. */
  answer(next: Answer | RequestHandler): void;
  /** The last request. */
  received(): Received | undefined;
  /** How many requests came. */
  count(): number;
  close(): Promise<void>;
}

export const eventStream = { "content-type": "text/event-stream; charset=utf-8" } as const;

function bodyStream(
  { chunks, fault }: Answer,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = chunks[Symbol.iterator]();
  let stop = (): void => undefined;
  const pull = (
    controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>,
  ): void | Promise<void> => {
    const { done, value } = source.next();
    if (signal?.aborted) return controller.error(signal.reason);
    if (!done) return controller.enqueue(value);
    if (fault === "reset")
      return controller.error(
        new TypeError("terminated", { cause: new Error("other side closed") }),
      );
    if (fault !== "stall") return controller.close();
    return new Promise((resolve) => {
      stop = resolve;
      const end = (): void => {
        controller.error(signal?.reason);
        resolve();
      };
      signal?.addEventListener("abort", end, { once: true });
    });
  };
  return new ReadableStream({ pull, cancel: () => stop() }, { highWaterMark: 0 });
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

const requestBody = async ([input, init]: readonly [
  FetchCall[0],
  FetchCall[1],
]): Promise<string> =>
  typeof init?.body === "string" ? init.body : new Request(input, init).text();

function toReceived([input, init, body]: FetchCall): Received {
  const request = input instanceof Request ? input : undefined;
  const path = new URL(request?.url ?? String(input)).pathname;
  const headers = new Headers(init?.headers ?? request?.headers);
  return {
    method: init?.method ?? request?.method ?? "GET",
    path,
    headers: Object.fromEntries(headers),
    body,
  };
}

/** The answers of a host, counted from the last time that they were set. */
export function createAnswerSource(): {
  set: Host["answer"];
  give(request: Received): Answer | Promise<Answer>;
} {
  let next: Answer | RequestHandler = { chunks: [], fault: "refuse" };
  let n = 0;
  return {
    set: (other) => {
      next = other;
      n = 0;
    },
    give: (request) => (typeof next === "function" ? next(request, n++) : next),
  };
}

/** A host without a network: the subject is given its `fetch`. */
export function inProcess(): Host {
  const { set, give } = createAnswerSource();
  let last: FetchCall | undefined;
  let count = 0;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    last = [input, init, await requestBody([input, init])];
    count++;
    const answer = await give(toReceived(last));
    if (answer.fault === "refuse") throw connectionRefused();
    return new Response(bodyStream(answer, signal), {
      status: answer.status ?? 200,
      headers: answer.headers ?? eventStream,
    });
  };
  return {
    endpoint: { baseURL: "http://provider.test", apiKey: "not-a-key", fetch },
    answer: set,
    received: () => last && toReceived(last),
    count: () => count,
    close: async () => undefined,
  };
}
