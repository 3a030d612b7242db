import type { Tool, ToolContext, ToolOutput } from "@fullstop/loop";
import type { Progress } from "@modelcontextprotocol/client";
import { type Caller, callServer } from "./call.ts";
import { type ListedTool, markTool } from "./server-tool.ts";

type Input = Readonly<Record<string, unknown>>;

export function toTool(listed: ListedTool, caller: Caller): Tool {
  const { name, tool, definition, inputSchema, isIdempotent, isReadOnly, revision } = listed;
  const { needsApproval = () => !isReadOnly } = caller.options;
  const own: Tool<Input> = {
    name,
    description: definition.description ?? definition.title ?? tool,
    inputSchema,
    execute: (input, context) => execute(listed, caller, { input, context }),
    needsApproval: (input) => needsApproval(listed, input),
    idempotent: isIdempotent,
    timeoutMs: caller.totalTimeoutMs,
    revision,
  };
  return markTool(own as Tool, listed);
}

/** Yields the progress of the call, and returns its output. */
async function* execute(
  tool: ListedTool,
  caller: Caller,
  { input, context }: { readonly input: Input; readonly context: ToolContext },
): AsyncGenerator<Progress, ToolOutput> {
  const progress = createChannel();
  const called = callServer({ ...caller, tool, input, context, onProgress: progress.add });
  // Its failure is thrown below; it must not count as unhandled before that.
  const ended = called.then(progress.close, progress.close);
  yield* progress.values();
  await ended;
  return await called;
}

/** What one side adds and the other reads, in order, until it is closed. */
function createChannel() {
  let waiting: Progress[] = [];
  let isClosed = false;
  let wake: () => void = () => undefined;
  async function* values(): AsyncGenerator<Progress, void> {
    for (;;) {
      const ready = waiting;
      waiting = [];
      yield* ready;
      if (waiting.length > 0) continue;
      if (isClosed) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    add: (value: Progress): void => {
      waiting.push(value);
      wake();
    },
    close: (): void => {
      isClosed = true;
      wake();
    },
    values,
  };
}
