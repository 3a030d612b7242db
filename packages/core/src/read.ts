import type { Adapter, EventBatches, TurnRequest } from "./adapter.ts";
import { ProviderError } from "./error.ts";
import { createGate, type GateOptions } from "./gate.ts";
import { prepare } from "./prepare.ts";
import { readThrown } from "./thrown.ts";
import type { Turn } from "./turn.ts";

/** How long to wait, besides what a gate takes. */
export interface ReadOptions extends GateOptions {
  /** Milliseconds without a byte after which the reply counts as lost; five minutes by default, as in Node's `fetch`. `Infinity` waits for ever. */
  readonly idleMs?: number | undefined;
}

/** After the protocol's own end nothing good can come; a host that holds the connection open is not waited for longer than this. */
const lingerMs = 2000;

/**
 * Asks for one reply and reads it to its end.
 * Never rejects for what a provider or the way to it does: that is a turn too. Rejects only with what `onPreview` throws.
 */
export async function readTurn(
  adapter: Adapter,
  request: TurnRequest,
  { idleMs = 300_000, ...options }: ReadOptions = {},
): Promise<Turn> {
  const sent = prepare(adapter, request);
  const sound = withSafeDecoder(adapter);
  const gate = createGate(
    sound,
    { maxTokens: sent.maxTokens, tools: sent.tools, messages: request.messages },
    options,
  );
  const watch = createWatch(options.signal);
  let batches: EventBatches<unknown> | undefined;
  let iterator: AsyncIterator<readonly unknown[]> | undefined;
  let done = false;
  let lingerUntil: number | undefined;
  const patience = (): number => {
    lingerUntil =
      gate.state === "ended" ? (lingerUntil ?? performance.now() + lingerMs) : undefined;
    return lingerUntil === undefined ? idleMs : Math.min(idleMs, lingerUntil - performance.now());
  };
  const next = async (): Promise<readonly unknown[] | undefined> => {
    try {
      if (sound.defect !== undefined) throw sound.defect;
      batches ??= await watch.until(() => open(adapter, sent, watch.signal), idleMs);
      const reading = iterator ?? batches[Symbol.asyncIterator]();
      iterator = reading;
      const step = await watch.until(() => reading.next(), patience());
      done = step.done === true;
      return done ? undefined : listOf(step.value);
    } catch (thrown) {
      gate.fail(thrown);
      return undefined;
    }
  };
  try {
    for (
      let batch = await next();
      batch !== undefined;
      batch = gate.state === "void" ? undefined : await next()
    ) {
      for (const native of batch) gate.push(native);
    }
  } finally {
    watch.stop({ unread: !done });
    close(iterator);
  }
  const requestId = batches?.head?.requestId;
  return Object.freeze({ ...gate.end(), ...(requestId !== undefined && { requestId }) });
}

/** What a request throws that has no known shape is no transport's failure: asking again would not help. */
async function open(
  adapter: Adapter,
  request: TurnRequest,
  signal: AbortSignal,
): Promise<EventBatches<unknown>> {
  let batches: EventBatches<unknown> | undefined;
  try {
    batches = await adapter.open(request, signal);
  } catch (thrown) {
    throw readThrown(thrown, adapter.errors, "invalid-request");
  }
  if (typeof batches?.[Symbol.asyncIterator] !== "function")
    throw defectOf("its `open` gave nothing that can be iterated.");
  return batches;
}

/** A broken adapter breaks in the same way again: its defect is an error that is not asked for again. */
const defectOf = (adapter: string, cause?: unknown): ProviderError =>
  new ProviderError(`The adapter is broken: ${adapter}`, { kind: "invalid-request", cause });

/** An adapter whose `decoder` does not throw; `defect` says what it threw when the gate asked for one. */
function withSafeDecoder(
  adapter: Adapter,
): Adapter & { readonly defect: ProviderError | undefined } {
  let defect: ProviderError | undefined;
  const decoder: Adapter["decoder"] = (emit) => {
    try {
      return adapter.decoder(emit);
    } catch (thrown) {
      defect = defectOf(
        `its \`decoder\` threw: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
        thrown,
      );
      return () => undefined;
    }
  };
  return {
    ...adapter,
    decoder,
    get defect() {
      return defect;
    },
  };
}

function listOf(batch: unknown): readonly unknown[] {
  if (Array.isArray(batch)) return batch;
  throw defectOf(
    `it gave a batch that is not a list of events, but ${batch === null ? "null" : typeof batch}.`,
  );
}

/** Cancels what is left unread. An error of that changes nothing: the verdict stands, or the connection has failed already. */
function close(iterator: AsyncIterator<unknown> | undefined): void {
  const closing = async (): Promise<unknown> => iterator?.return?.();
  closing().catch(() => undefined);
}

interface Watch {
  /** The request's own signal: it follows the caller's, and no SDK can leave a listener on that. */
  readonly signal: AbortSignal;
  /** Waits for one step, but not longer than `ms` and not beyond an abort. */
  until<Value>(step: () => Promise<Value>, ms: number): Promise<Value>;
  /** `unread`: the request is given up. */
  stop(how: { readonly unread: boolean }): void;
}

/** One timer and one listener for a whole reply: both would cost more than what they watch if each chunk had its own. */
function createWatch(callers: AbortSignal | undefined): Watch {
  const controller = new AbortController();
  let giveUp: (reason: unknown) => void = () => undefined;
  let due = Number.POSITIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wakes = Number.POSITIVE_INFINITY;
  const abort = (reason: unknown): void => {
    controller.abort(reason);
    giveUp(controller.signal.reason);
  };
  const follow = (): void => abort(callers?.reason);
  const check = (): void => {
    wakes = Number.POSITIVE_INFINITY;
    if (performance.now() >= due) abort(silence());
    else wakeAt(due);
  };
  const wakeAt = (time: number): void => {
    if (time >= wakes) return;
    clearTimeout(timer);
    wakes = time;
    timer = setTimeout(check, Math.min(Math.ceil(time - performance.now()), longest));
  };
  callers?.addEventListener("abort", follow, { once: true });
  if (callers?.aborted) follow();
  return {
    signal: controller.signal,
    until: (step, ms) =>
      new Promise((resolve, reject) => {
        if (controller.signal.aborted) return reject(controller.signal.reason);
        giveUp = reject;
        due = performance.now() + ms;
        wakeAt(due);
        return step().then(resolve, reject);
      }),
    stop: ({ unread }) => {
      clearTimeout(timer);
      callers?.removeEventListener("abort", follow);
      if (unread) controller.abort();
    },
  };
}

/** Timers hold 31 bits of milliseconds. */
const longest = 2 ** 31 - 1;
const silence = (): ProviderError =>
  new ProviderError("The provider fell silent; waiting for it stopped.", { kind: "timeout" });
