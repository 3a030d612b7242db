import {
  jsonSchema,
  type Outcome,
  type RunEvent,
  type RunOptions,
  run,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@fullstop/loop";

const object = jsonSchema({ type: "object" });

/**
 * A tool that takes any object and notes what it ran with. A tool may not have the key `ran`, so a copy of
 * the tool does not have it.
 */
export function recorder(
  name: string,
  answer: (
    input: Readonly<Record<string, unknown>>,
    context: ToolContext,
  ) => ToolOutput | Promise<ToolOutput> = () => "ok",
): Tool<Record<string, unknown>> & { readonly ran: Record<string, unknown>[] } {
  const ran: Record<string, unknown>[] = [];
  const execute = (
    input: Record<string, unknown>,
    context: ToolContext,
  ): ToolOutput | Promise<ToolOutput> => {
    ran.push(input);
    return answer(input, context);
  };
  const tool = { name, description: `The tool ${name}.`, inputSchema: object, execute };
  return Object.defineProperty(tool as typeof tool & { ran: typeof ran }, "ran", { value: ran });
}

/** The outcome of a run and all that was seen on the way. */
export async function runWatched(
  options: RunOptions,
): Promise<{ readonly outcome: Outcome; readonly events: readonly RunEvent[] }> {
  const events: RunEvent[] = [];
  const onEvent = [(event: RunEvent) => void events.push(event), options.onEvent ?? []].flat();
  const recovery = { maxWaitMs: 0, ...options.recovery };
  const outcome = await run({ ...options, recovery, onEvent }).outcome();
  return { outcome, events };
}

export const eventsOfType = <Type extends RunEvent["type"]>(
  events: readonly RunEvent[],
  type: Type,
): Extract<RunEvent, { readonly type: Type }>[] =>
  events.filter(
    (event): event is Extract<RunEvent, { readonly type: Type }> => event.type === type,
  );

export const recoveries = (events: readonly RunEvent[]): string[] =>
  eventsOfType(events, "recovery").map(({ action, stopReason }) => `${action}: ${stopReason}`);
