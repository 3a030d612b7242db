import type { ToolCall } from "@fullstop/core";
import { parsePlainJson, startTimer } from "@fullstop/core/adapter";
import { type LoopToolContext, type StartRun, startRun } from "../config/agent-tool.ts";
import { isUnknownOutcome, readInputRequest, type ToolContext } from "../contract/tool.ts";
import { abortCause } from "../util/abort.ts";
import { isObject, jsonOfData, messageOf } from "../util/values.ts";
import { type CallOutcome, errorOutcome } from "./output.ts";
import type { DispatchContext, RunPlan } from "./plan.ts";
import { outcomeOfFailure, outcomeOfOutput } from "./salvage-notice.ts";

interface ExecutionContext extends Pick<DispatchContext, "signal" | "notice"> {
  readonly onProgress: (progress: unknown) => void;
  readonly start: StartRun;
}

const defaultTimeoutMs = 120_000;

/** The loop does not wait for a tool that continues after its time limit or an abort. */
export async function executeTool(
  plan: RunPlan,
  execution: ExecutionContext,
): Promise<CallOutcome> {
  const { call, key: idempotencyKey, given, tool } = plan;
  const { signal, start } = execution;
  const { name } = call;
  const timeoutMs = tool?.timeoutMs ?? defaultTimeoutMs;
  const controller = new AbortController();
  let resolveStopped: (outcome: CallOutcome) => void = () => undefined;
  const stopped = new Promise<CallOutcome>((resolve) => (resolveStopped = resolve));
  const stopTool = (what: string, reason: unknown, mark?: Pick<CallOutcome, "timedOut">): void => {
    const content = `${name} ${what}. It may still be running, and its outcome is unknown. Check what it did before you call ${name} again.`;
    resolveStopped({ ...errorOutcome(content), inDoubt: true, ...mark });
    controller.abort(reason);
  };
  const onAbort = (): void => stopTool(`had started when ${abortCause(signal)}`, signal.reason);
  const clear = startTimer(timeoutMs, () =>
    stopTool(`did not finish within ${timeoutMs / 1000} s`, timeoutError(timeoutMs), {
      timedOut: true,
    }),
  );
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const context: LoopToolContext = {
      call,
      signal: controller.signal,
      idempotencyKey,
      ...(given !== undefined && { given }),
      [startRun]: start,
    };
    return await Promise.race([outcomeOfTool(plan, context, execution), stopped]);
  } finally {
    clear();
    signal.removeEventListener("abort", onAbort);
  }
}

async function outcomeOfTool(
  { call, tool, input }: RunPlan,
  context: ToolContext,
  { notice, onProgress }: ExecutionContext,
): Promise<CallOutcome> {
  try {
    const returned: unknown = await tool?.execute?.(input as never, context);
    const output = isGenerator(returned)
      ? ((await finishGenerator(returned, context.signal, onProgress)) ?? returnedNothing(call))
      : returned;
    const asks = readInputRequest(output);
    return asks === undefined
      ? outcomeOfOutput(call, output, notice)
      : { ...errorOutcome(cannotAsk(call)), asks: asStored(asks) };
  } catch (thrown) {
    return isUnknownOutcome(thrown)
      ? { ...errorOutcome(mayHaveHappened(call, thrown)), inDoubt: true }
      : outcomeOfFailure(call, thrown, notice);
  }
}

const asStored = <Data>(data: Data): Data => parsePlainJson(jsonOfData(data) ?? "");

const returnedNothing = ({ name }: ToolCall): string =>
  `${name} finished. It has no output: its generator returned no value, and what it yielded was only shown as progress.`;

const mayHaveHappened = ({ name }: ToolCall, thrown: Error): string =>
  `${name} may have run, and its outcome is unknown: ${messageOf(thrown)} Check what it did before you call ${name} again.`;

const cannotAsk = ({ name }: ToolCall): string =>
  `${name} needs an input from a person, and this run cannot wait for one, because it has no journal. Go on without ${name}, or tell the person what is missing.`;

const timeoutError = (ms: number): DOMException =>
  new DOMException(`The tool did not end within ${ms} ms.`, "TimeoutError");

type Progressing = AsyncGenerator<unknown, unknown> | Generator<unknown, unknown>;

const generatorMethods = ["next", "return", "throw"] as const;

/** Did `execute` return a generator? An iterable that is only data has no `throw`. */
export const isGenerator = (returned: unknown): returned is Progressing =>
  isObject(returned) &&
  generatorMethods.every((method) => typeof returned[method] === "function") &&
  (Symbol.asyncIterator in returned || Symbol.iterator in returned);

/** After an abort it reports nothing, and the generator ends at its next `yield`. */
export async function finishGenerator(
  generator: Progressing,
  signal: AbortSignal,
  onProgress: (progress: unknown) => void,
): Promise<unknown> {
  const leave = (): void => void leaveGenerator(generator);
  signal.addEventListener("abort", leave, { once: true });
  try {
    for (;;) {
      const step = await generator.next();
      if (step.done) return step.value;
      if (signal.aborted) return leave();
      onProgress(step.value);
    }
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** The result of the call is already decided, so what the generator throws now changes nothing. */
async function leaveGenerator(generator: Progressing): Promise<void> {
  try {
    await generator.return(undefined);
  } catch {
    // See above.
  }
}
