import { type Adapter, ProviderError, type TurnRequest } from "@fullstop/core";
import { defineAdapter, type EventBatches, type TurnEvent } from "@fullstop/core/adapter";
import { reply, type Say } from "./reply.ts";
import { stops } from "./stops.ts";

/** One step per request, in order. A function sees the request that it answers. */
export type Script = readonly (string | Say | ((request: TurnRequest) => string | Say))[];

/** The adapter, with what it was asked and a check that the script was used up. */
export interface Mock extends Adapter {
  /** What was sent, as the core prepared it. */
  readonly requests: readonly TurnRequest[];
  /** Throws for requests beyond the script, for steps that failed, and for steps never asked for. */
  assertDone(): void;
}

/** An adapter that answers from a script, for tests of code that runs a model. A request beyond the script fails. */
export function mock(steps: Script, options: Pick<Adapter, "maxTokens"> = {}): Mock {
  const requests: TurnRequest[] = [];
  const problems: string[] = [];

  const answer = (request: TurnRequest): readonly TurnEvent[] => {
    requests.push({ ...request, messages: [...request.messages] });
    const at = requests.length;
    try {
      const step = steps[at - 1];
      if (step === undefined)
        throw new Error(`request ${at} came, but the script has ${counted(steps.length)}.`);
      return reply(typeof step === "function" ? step(request) : step, request);
    } catch (thrown) {
      const said = thrown instanceof Error ? thrown.message : String(thrown);
      const problem = at > steps.length ? said : `step ${at} threw: ${said}`;
      problems.push(problem);
      throw new ProviderError(`The mock's script was not followed: ${problem}`, {
        kind: "invalid-request",
        cause: thrown,
      });
    }
  };
  const assertDone = (): void => {
    const unasked = steps
      .slice(requests.length)
      .map((_, index) => `step ${requests.length + index + 1} was never asked for.`);
    const all = [...problems, ...unasked];
    if (all.length > 0)
      throw new Error(
        `The mock's script of ${counted(steps.length)} was not followed:\n- ${all.join("\n- ")}`,
      );
  };
  const adapter = defineAdapter<TurnEvent>({
    provider: "mock",
    protocol: "mock",
    model: "mock",
    stops,
    toolInputEnd: "explicit",
    ...options,
    open: async (request, signal) => play(answer(request), signal),
    decoder: (emit) => emit,
  });
  return { ...adapter, requests, assertDone };
}

async function* play(events: readonly TurnEvent[], signal: AbortSignal): EventBatches<TurnEvent> {
  for (const event of events) {
    signal.throwIfAborted();
    yield [event];
  }
}

const counted = (steps: number): string => `${steps} step${steps === 1 ? "" : "s"}`;
