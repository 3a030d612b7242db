import type { ToolCall } from "@fullstop/core";
import { startTimer } from "@fullstop/core/adapter";
import { endOf } from "./limits.ts";
import { type Answer, described, refused, written } from "./output.ts";
import type { Tool } from "./tool.ts";

/** A call that may start, with the input that its tool gets. */
export interface Admitted {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly input: unknown;
}
interface Surroundings {
  readonly signal: AbortSignal;
  readonly idempotencyKey: string;
}

const defaultTimeoutMs = 120_000;

/** Runs a tool to its end, its time limit or the abort of the run, whichever comes first. What goes on after that is left alone. */
export async function execute(
  { call, tool, input }: Admitted,
  { signal, idempotencyKey }: Surroundings,
): Promise<Answer> {
  const { name, timeoutMs = defaultTimeoutMs } = tool;
  const own = new AbortController();
  let giveUp: (answer: Answer) => void = () => undefined;
  const stopped = new Promise<Answer>((resolve) => (giveUp = resolve));
  const stop = (how: string, reason: unknown): void => {
    giveUp(
      refused(
        `${name} ${how}. It may still be running, and its outcome is unknown: check it before you call ${name} again.`,
      ),
    );
    own.abort(reason);
  };
  const abort = (): void => stop(`had started when ${endOf(signal)}`, signal.reason);
  const clear = startTimer(timeoutMs, () =>
    stop(`did not end within ${timeoutMs / 1000} s and was told to stop`, overtime(timeoutMs)),
  );
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([
      settle(tool, input, { call, signal: own.signal, idempotencyKey }),
      stopped,
    ]);
  } finally {
    clear();
    signal.removeEventListener("abort", abort);
  }
}

async function settle(
  tool: Tool,
  input: unknown,
  context: Parameters<Tool["execute"]>[1],
): Promise<Answer> {
  try {
    return written(tool.name, await tool.execute(input as never, context));
  } catch (thrown) {
    return refused(`${tool.name} failed: ${described(thrown)}`);
  }
}

const overtime = (ms: number): DOMException =>
  new DOMException(`The tool did not end within ${ms} ms.`, "TimeoutError");
