import { type Answer, answerEvents, serve } from "@fullstop/conformance/server";
import { interactionsWire } from "@fullstop/conformance/wires/gemini-interactions";
import { type Adapter, readTurn, type Turn, type TurnRequest } from "@fullstop/core";
import { googleInteractions, type InteractionsOptions } from "@fullstop/provider-google";
import { onTestFinished } from "vitest";

export type Event = Readonly<Record<string, unknown>>;
/** A step with the deltas between its start and its end. */
export interface TestStep {
  readonly step: Event;
  readonly deltas?: readonly Event[];
}

export const thought = (signature = "c2ln"): TestStep => ({
  step: { type: "thought" },
  deltas: [{ type: "thought_signature", signature }],
});
export const said = (text: string): TestStep => ({
  step: { type: "model_output" },
  deltas: [{ type: "text", text }],
});
export const called = (name: string, args: object | string = {}, id = "call_1"): TestStep => ({
  step: { type: "function_call", id, name, arguments: {} },
  deltas: [
    {
      type: "arguments_delta",
      arguments: typeof args === "string" ? args : JSON.stringify(args),
    },
  ],
});

export const stepEvents = (steps: readonly TestStep[]): readonly Event[] =>
  steps.flatMap(({ step, deltas = [] }, index) => [
    { event_type: "step.start", index, step },
    ...deltas.map((delta) => ({ event_type: "step.delta", index, delta })),
    { event_type: "step.stop", index },
  ]);

export const usage = {
  total_input_tokens: 10,
  total_output_tokens: 15,
  total_thought_tokens: 5,
  total_tokens: 30,
};
export const created: Event = {
  event_type: "interaction.created",
  interaction: { id: "", status: "in_progress", model: "gemini-3.8-flash" },
};
export const completed = (status: string | undefined, more: object = {}): Event => ({
  event_type: "interaction.completed",
  interaction: { id: "", ...(status !== undefined && { status }), usage, ...more },
});
export const reply = (status: string, ...steps: readonly TestStep[]): readonly Event[] => [
  created,
  ...stepEvents(steps),
  completed(status),
];

export const json = (body: unknown, status = 200): Answer => ({
  status,
  headers: { "content-type": "application/json" },
  chunks: [new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body))],
});

export interface InteractionsServer {
  readonly url: string;
  /** The bodies that came. */
  // biome-ignore lint/suspicious/noExplicitAny: tests check request bodies at any depth
  bodies(): readonly any[];
  paths(): readonly string[];
  headers(): Readonly<Record<string, string>> | undefined;
  adapter(options?: InteractionsOptions, model?: string): Adapter;
  ask(request?: Partial<TurnRequest>, options?: InteractionsOptions): Promise<Turn>;
}

/** A server of this protocol on the loopback. Gives the answers in order, the last one again. */
export async function serveInteractions(
  ...answers: readonly (readonly Event[] | Answer)[]
): Promise<InteractionsServer> {
  const server = await serve((_, index) => {
    const answer = answers[Math.min(index, answers.length - 1)] ?? [];
    if (!Array.isArray(answer)) return answer as Answer;
    return answerEvents(
      interactionsWire,
      answer.map((event) => JSON.stringify(event)),
    );
  });
  onTestFinished(() => server.close());
  const adapter = (options: InteractionsOptions = {}, model = "gemini-3.8-flash"): Adapter =>
    googleInteractions(model, { apiKey: "key", baseURL: server.url, ...options });
  return {
    url: server.url,
    bodies: () => server.requests.map(({ body }) => JSON.parse(body)),
    paths: () => server.requests.map(({ path }) => path),
    headers: () => server.requests.at(-1)?.headers,
    adapter,
    ask: (request = {}, options = {}) =>
      readTurn(adapter(options), { messages: [{ role: "user", content: "Go." }], ...request }),
  };
}
