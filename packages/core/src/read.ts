import type { Adapter, EventBatches, TurnRequest } from "./contract/adapter.ts";
import { ProviderError } from "./contract/error.ts";
import type { Turn } from "./contract/turn.ts";
import { type Gate, startGate } from "./gate/gate.ts";
import type { GateOptions } from "./gate/gate-options.ts";
import { callIdsIn } from "./history/history.ts";
import { checkMessages } from "./history/message-shape.ts";
import { prepare } from "./history/prepare.ts";
import { resolveReferences } from "./history/references.ts";
import { watchForLeak } from "./leak/leaked-call.ts";
import { type CheckedOptions, checkOptions } from "./options/check-options.ts";
import { abortSignal, anyFunction, type OptionKinds, positiveNumber } from "./options/kinds.ts";
import { checkRequest } from "./options/request-options.ts";
import { withSentOutput } from "./output-tool.ts";
import { lingerMs } from "./reply/stop-state.ts";
import { toProviderError } from "./transport/thrown.ts";
import { createWatch, type TimeLimit } from "./watch.ts";

/** How long to wait, and the options of a gate. */
export interface ReadOptions extends Omit<GateOptions, "maxTextLength"> {
  /**
   * Milliseconds without a byte after which the reply counts as interrupted. Five minutes by
   * default, as in Node's `fetch`. `Infinity` waits for ever.
   */
  readonly idleMs?: number | undefined;
  /**
   * Milliseconds from the request to the first content of the reply. No limit by default. Response
   * headers, pings and ids are not content.
   */
  readonly firstEventMs?: number | undefined;
  /** Called once, when the first part of the reply arrives, even if it has no content. */
  readonly onFirstByte?: (() => void) | undefined;
  /**
   * Called with the provider's own events that arrived together, after the gate has read them. For
   * recorders. Do not change them: the turn may keep parts of them.
   */
  readonly onNatives?: ((natives: readonly unknown[]) => void) | undefined;
}

const readKinds: OptionKinds<Required<ReadOptions>> = {
  signal: abortSignal,
  onPreview: anyFunction,
  idleMs: positiveNumber,
  firstEventMs: positiveNumber,
  onFirstByte: anyFunction,
  onNatives: anyFunction,
};
const ofReadTurn: CheckedOptions = {
  of: "readTurn",
  aliases: {
    abortsignal: "signal",
    onchunk: "onPreview",
    ondelta: "onPreview",
    onevent: "onPreview",
    ontoken: "onPreview",
    timeout: "idleMs",
    timeoutms: "idleMs",
    chunktimeout: "idleMs",
  },
};

/**
 * Sends one request and reads the reply to its end. A failure of the provider or of the connection
 * is a turn too. Rejects only with what `onPreview` throws, and with a TypeError or a RangeError for a
 * request or an option that cannot work. The message names it.
 */
export async function readTurn(
  adapter: Adapter,
  request: TurnRequest,
  readOptions: ReadOptions = {},
): Promise<Turn> {
  checkRequest(request);
  checkMessages(request.messages, "request.messages");
  checkOptions(readOptions, readKinds, ofReadTurn);
  const { idleMs, firstEventMs, onFirstByte, onNatives, ...options } = readOptions;
  const sent = prepare(adapter, request);
  const sound = withSafeDecoder(adapter);
  const { onPreview, leakIn } = watchForLeak(sent.tools, options.onPreview);
  const gate = startGate(
    sound,
    {
      maxTokens: sent.maxTokens,
      tools: sent.tools,
      output: sent.output,
      messages: request.messages,
    },
    { ...options, onPreview, callIdsIn },
  );
  const watch = createWatch(options.signal);
  const limit = createTimeLimits(gate, { idleMs, firstEventMs });
  let reportFirstByte = onFirstByte;
  let batches: EventBatches<unknown> | undefined;
  let iterator: AsyncIterator<readonly unknown[]> | undefined;
  let done = false;
  const next = async (): Promise<readonly unknown[] | undefined> => {
    try {
      if (sound.defect !== undefined) throw sound.defect;
      batches ??= await watch.until(() => openReply(adapter, sent, watch.signal), limit());
      const reading = iterator ?? batches[Symbol.asyncIterator]();
      iterator = reading;
      const step = await watch.until(() => reading.next(), limit());
      done = step.done === true;
      return done ? undefined : toBatch(step.value);
    } catch (thrown) {
      gate.fail(toProviderError(thrown, adapter));
      return undefined;
    }
  };
  try {
    for (
      let batch = await next();
      batch !== undefined;
      batch = gate.state === "void" ? undefined : await next()
    ) {
      reportFirstByte?.();
      reportFirstByte = undefined;
      for (const native of batch) gate.push(native);
      if (batch.length > 0) onNatives?.(batch);
    }
  } finally {
    watch.stop({ unread: !done });
    close(iterator);
  }
  const requestId = batches?.head?.requestId;
  const turn = gate.end();
  return Object.freeze({
    ...turn,
    ...leakIn(turn),
    ...(requestId !== undefined && { requestId }),
  });
}

function createTimeLimits(
  gate: Gate,
  { idleMs = 300_000, firstEventMs = Number.POSITIVE_INFINITY }: ReadOptions,
): () => TimeLimit {
  const firstDue = performance.now() + firstEventMs;
  let lingerUntil: number | undefined;
  return () => {
    const now = performance.now();
    if (gate.state === "ended") {
      lingerUntil ??= now + lingerMs;
      return { ms: Math.min(idleMs, lingerUntil - now), error: fellSilent };
    }
    lingerUntil = undefined;
    const left = gate.begun ? Number.POSITIVE_INFINITY : firstDue - now;
    return left < idleMs
      ? { ms: left, error: () => neverBegan(firstEventMs) }
      : { ms: idleMs, error: fellSilent };
  };
}

const fellSilent = (): ProviderError =>
  new ProviderError(
    "The provider sent nothing for too long, so the reply was given up. `idleMs` allows a longer silence.",
    {
      kind: "timeout",
    },
  );
const neverBegan = (ms: number): ProviderError =>
  new ProviderError(
    `No part of the reply came within ${ms / 1000} s, so it was given up. \`firstEventMs\` allows a longer wait.`,
    {
      kind: "timeout",
    },
  );

/** If a request throws an unknown shape, the cause is not the connection: it is not repeated. */
async function openReply(
  adapter: Adapter,
  request: TurnRequest,
  signal: AbortSignal,
): Promise<EventBatches<unknown>> {
  let batches: EventBatches<unknown> | undefined;
  try {
    const sent = resolveReferences(adapter, withSentOutput(adapter, request));
    batches = await adapter.open(sent, signal);
  } catch (thrown) {
    throw toProviderError(thrown, adapter, "invalid-request");
  }
  if (typeof batches?.[Symbol.asyncIterator] !== "function")
    throw defectOf("its `open` gave nothing that can be iterated.");
  return batches;
}

/** A broken adapter fails again in the same way, so the error is not retried. */
const defectOf = (adapter: string, cause?: unknown): ProviderError =>
  new ProviderError(`The adapter is broken: ${adapter}`, { kind: "invalid-request", cause });

/** An adapter whose `decoder` does not throw. `defect` is what it threw when the gate called it. */
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

function toBatch(batch: unknown): readonly unknown[] {
  if (Array.isArray(batch)) return batch;
  throw defectOf(
    `it gave a batch that is not a list of events, but ${batch === null ? "null" : typeof batch}.`,
  );
}

/** Cancels the unread rest. If that fails, nothing changes. */
function close(iterator: AsyncIterator<unknown> | undefined): void {
  const closing = async (): Promise<unknown> => iterator?.return?.();
  closing().catch(() => undefined);
}
