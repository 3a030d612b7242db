import {
  type AdapterSpec,
  defineAdapter,
  type StopTable,
  sse,
  type TurnEvent,
} from "../src/adapter/index.ts";
import type { Adapter, Endpoint } from "../src/index.ts";

/** A protocol whose frames are turn events: what the core does is all there is to see. */
const stops: StopTable = {
  done: "stop",
  tool: "tool-use",
  budget: "length",
  policy: "content-filter",
  declined: "refusal",
  paused: "pause",
  full: "context-window",
  failed: { stop: "error", error: "server" },
  "failed:cancelled": { stop: "error", error: "cancelled" },
  sequence: { stop: "stop", calls: "never" },
  running: null,
};

export type AcmeEvent = TurnEvent | readonly TurnEvent[];
export const acmeSpec: Omit<AdapterSpec<AcmeEvent>, "open"> = {
  provider: "acme",
  protocol: "acme",
  model: "one",
  stops,
  errors: { busy: "overloaded", window: "context-window", blocked: "filtered" },
  toolInputEnd: "explicit",
  decoder: (emit) => (native) => {
    if (typeof native === "string") throw new Error(`the event ${native} is not known`);
    for (const event of Array.isArray(native)
      ? (native as readonly TurnEvent[])
      : [native as TurnEvent])
      emit(event);
  },
};

export type AdapterOptions = Partial<Adapter> & Endpoint;
export const acme = ({
  fetch = globalThis.fetch,
  baseURL = "http://acme.test",
  ...rest
}: AdapterOptions = {}): Adapter => ({
  ...defineAdapter<AcmeEvent>({
    ...acmeSpec,
    open: async (request, signal) =>
      sse(await fetch(baseURL, { method: "POST", body: JSON.stringify(request), signal })),
  }),
  ...rest,
});
