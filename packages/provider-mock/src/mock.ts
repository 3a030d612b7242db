import { type Adapter, ProviderError, type TurnRequest } from "@fullstop/core";
import {
  checkAdapterOptions,
  commonKinds,
  defineAdapter,
  type EventBatches,
  type OptionKinds,
  oneOf,
  type TurnEvent,
} from "@fullstop/core/adapter";
import { eventsOf, type Say } from "./reply.ts";
import { stops } from "./stops.ts";

/** One step for each request, in order. A function gets the request that it answers. */
export type Script = readonly (string | Say | ((request: TurnRequest) => string | Say))[];

/** An adapter that records its requests and checks that its script was followed. */
export interface Mock extends Adapter {
  /** The requests so far, as the core prepared them. */
  readonly requests: readonly TurnRequest[];
  /**
   * Throws if there were more requests than steps, if a step failed, or if a step was never used.
   */
  assertDone(): void;
}

const optionKinds: OptionKinds<Required<Pick<Adapter, "maxTokens" | "outputFormat">>> = {
  maxTokens: commonKinds.maxTokens,
  outputFormat: oneOf("always", "without-tools"),
};

/**
 * Creates an adapter that answers from a script, for tests of code that runs a model.
 * A request after the last step fails. An object that is asked for is the text of its step; without
 * `outputFormat`, it is the input of a call of the tool `final_output`.
 */
export function mock(
  steps: Script,
  options: Pick<Adapter, "maxTokens" | "outputFormat"> = {},
): Mock {
  if (!Array.isArray(steps))
    throw new TypeError('`mock` needs a list of steps, such as `mock(["Hello."])`.');
  checkAdapterOptions(options, optionKinds, "mock");
  const requests: TurnRequest[] = [];
  const problems: string[] = [];

  const replyTo = (request: TurnRequest): readonly TurnEvent[] => {
    requests.push({ ...request, messages: [...request.messages] });
    const count = requests.length;
    try {
      const step = steps[count - 1];
      if (step === undefined)
        throw new Error(`request ${count} came, but the script has ${countSteps(steps.length)}.`);
      return eventsOf(typeof step === "function" ? step(request) : step, request);
    } catch (thrown) {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      const problem = count > steps.length ? message : `step ${count} threw: ${message}`;
      problems.push(problem);
      throw new ProviderError(`The mock's script was not followed: ${problem}`, {
        kind: "invalid-request",
        cause: thrown,
      });
    }
  };
  const assertDone = (): void => {
    const unused = steps
      .slice(requests.length)
      .map((_, index) => `step ${requests.length + index + 1} was never requested.`);
    const all = [...problems, ...unused];
    if (all.length > 0)
      throw new Error(
        `The mock's script of ${countSteps(steps.length)} was not followed:\n- ${all.join("\n- ")}`,
      );
  };
  const adapter = defineAdapter<TurnEvent>({
    provider: "mock",
    protocol: "mock",
    model: "mock",
    stops,
    toolInputEnd: "explicit",
    refuseReference: () => undefined,
    ...options,
    open: async (request, signal) => play(replyTo(request), signal),
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

const countSteps = (count: number): string => `${count} step${count === 1 ? "" : "s"}`;
