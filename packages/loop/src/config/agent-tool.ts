import type { InputSchema } from "@fullstop/core";
import { checkGiven, type SchemaTypes, startTimer } from "@fullstop/core/adapter";
import type { RunOptions } from "../contract/options.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Tool, ToolContext, ToolOutput } from "../contract/tool.ts";

type SharedOption = "journal" | "signal" | "onEvent" | "waiting";
/**
 * The options of a sub-agent. It uses the journal, the signal and the observers of the run that it
 * runs in, and its `approve` unless it has one of its own.
 */
export type AgentOptions<Output = unknown> = Omit<RunOptions<Output>, SharedOption>;

export type StartRun = (options: AgentOptions, signal: AbortSignal) => Promise<Outcome>;
/** Where the loop puts it. Two copies of this package know the same symbol. */
export const startRun: unique symbol = Symbol.for("fullstop.loop.startRun");
export interface LoopToolContext extends ToolContext {
  readonly [startRun]: StartRun;
}

/** A tool that starts another agent. */
export interface AgentTool<S extends InputSchema>
  extends Pick<
    Tool<SchemaTypes<S>["output"]>,
    "name" | "description" | "needsApproval" | "concurrency" | "exclusive"
  > {
  /** What the model gives to the sub-agent: zod, arktype, `jsonSchema(…)` and so on. */
  readonly inputSchema: S;
  /**
   * The options of the sub-agent for this call. With a journal it is called again after a crash, so
   * the messages must depend on the input alone.
   */
  run(input: SchemaTypes<S>["output"], context: ToolContext): AgentOptions | Promise<AgentOptions>;
  /**
   * Milliseconds for the whole sub-agent. Default: no limit, apart from the deadline and the signal
   * of the run.
   */
  readonly timeoutMs?: number | undefined;
}

/**
 * A tool that runs another agent, with its own model, tools and conversation. The model gets its
 * answer: the text, or `output` as JSON. If the status is not `done`, it gets an error result with
 * the summary. Usage and cost count in the limits of the run, the events have a `path`, and with a
 * journal a sub-agent that was killed continues where it was. At most 8 are nested.
 */
export function agentTool<S extends InputSchema>(
  options: AgentTool<S>,
): Tool<SchemaTypes<S>["output"]> {
  checkGiven(options, "agentTool", "an object with `name`, `description`, `inputSchema` and `run`");
  const { run, timeoutMs = Number.POSITIVE_INFINITY, ...tool } = options;
  return {
    ...tool,
    // The sub-agent ends at its limit, and its result says what it had.
    timeoutMs: Number.POSITIVE_INFINITY,
    // The call itself has no effects: each call inside is a step of its own.
    idempotent: true,
    execute: async (input, context) => {
      const start = (context as Partial<LoopToolContext>)[startRun];
      if (start === undefined)
        throw new TypeError("A sub-agent runs only inside `run`, with the context of its call.");
      const agent = await run(input, context);
      const { signal, isOver, clear } = withLimit(context.signal, timeoutMs);
      try {
        const outcome = await start(agent, signal);
        const end = isOver() ? `It reached its limit of ${timeoutMs / 1000} s.` : outcome.summary;
        return toResult(outcome, tool.name, end);
      } finally {
        clear();
      }
    },
  };
}

function withLimit(signal: AbortSignal, timeoutMs: number) {
  const limit = new AbortController();
  const clear = startTimer(timeoutMs, () => limit.abort());
  return {
    signal: AbortSignal.any([signal, limit.signal]),
    isOver: () => limit.signal.aborted && !signal.aborted,
    clear,
  };
}

/** `output` as JSON: as an object it could be taken for a block. */
function toResult(outcome: Outcome, name: string, end: string): ToolOutput {
  const { status, summary, text } = outcome;
  if (status === "done") {
    if (outcome.output !== undefined) return JSON.stringify(outcome.output);
    return text.trim() === "" ? summary : text;
  }
  const advice =
    status === "waiting"
      ? " A sub-agent can wait only if the run has a `journal`. Without one, `approve` must decide at once."
      : "";
  const said = text.trim() === "" ? "" : `\n\nIts last text:\n${text}`;
  return { content: `${name} did not finish. ${end}${advice}${said}`, isError: true };
}
