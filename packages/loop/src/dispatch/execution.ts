import type { ToolCall } from "@fullstop/core";
import { startTimer } from "@fullstop/core/adapter";
import { type LoopToolContext, type StartRun, startRun } from "../config/agent-tool.ts";
import type { Tool, ToolContext } from "../config/tool.ts";
import { abortCause } from "../util/deadline.ts";
import { messageOf } from "../util/values.ts";
import { errorOutcome, serialize, type ToolOutcome } from "./output.ts";

/** A call that may start, with its validated input. */
export interface AdmittedCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly input: unknown;
}
interface ExecutionContext extends Pick<ToolContext, "signal" | "idempotencyKey"> {
  readonly start: StartRun;
}

const defaultTimeoutMs = 120_000;

/**
 * Runs a tool until it ends, its time limit is reached or the run aborts. The loop does not wait
 * for a tool that continues after that.
 */
export async function executeTool(
  { call, tool, input }: AdmittedCall,
  { signal, idempotencyKey, start }: ExecutionContext,
): Promise<ToolOutcome> {
  const { name, timeoutMs = defaultTimeoutMs } = tool;
  const controller = new AbortController();
  let resolveStopped: (outcome: ToolOutcome) => void = () => undefined;
  const stopped = new Promise<ToolOutcome>((resolve) => (resolveStopped = resolve));
  const stopTool = (what: string, reason: unknown): void => {
    resolveStopped(
      errorOutcome(
        `${name} ${what}. It may still be running, and its outcome is unknown. Check what it did before you call ${name} again.`,
      ),
    );
    controller.abort(reason);
  };
  const onAbort = (): void => stopTool(`had started when ${abortCause(signal)}`, signal.reason);
  const clear = startTimer(timeoutMs, () =>
    stopTool(`did not finish within ${timeoutMs / 1000} s`, timeoutError(timeoutMs)),
  );
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const context: LoopToolContext = {
      call,
      signal: controller.signal,
      idempotencyKey,
      [startRun]: start,
    };
    return await Promise.race([outcomeOfTool(tool, input, context), stopped]);
  } finally {
    clear();
    signal.removeEventListener("abort", onAbort);
  }
}

async function outcomeOfTool(
  tool: Tool,
  input: unknown,
  context: ToolContext,
): Promise<ToolOutcome> {
  try {
    return serialize(tool.name, await tool.execute?.(input as never, context));
  } catch (thrown) {
    return errorOutcome(`${tool.name} failed: ${messageOf(thrown)}`);
  }
}

const timeoutError = (ms: number): DOMException =>
  new DOMException(`The tool did not end within ${ms} ms.`, "TimeoutError");
