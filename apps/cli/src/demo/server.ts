import { type Answer, type Received, serve } from "@fullstop/conformance/server";
import { anthropicWire as wire } from "@fullstop/conformance/wires/anthropic";
import { framesOf, idOf } from "./frames.ts";
import { type Step, steps } from "./script.ts";

/** A request that came, and what is wrong with it. */
export interface Asked {
  /** From 1; its reply has the same number. */
  readonly reply: number;
  readonly cap: number;
  readonly messages: number;
  readonly surprises: readonly string[];
}
export interface Provider {
  readonly url: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** A provider behind a real socket. It answers what the script expects; anything else with a 400, as the vendor would. */
export async function startProvider(heard: (asked: Asked) => void): Promise<Provider> {
  const asked: Asked[] = [];
  const { url, close } = await serve((request, n) => {
    const body = readBody(request);
    const surprises = [...surprisesIn(request, body, n)];
    const one = { reply: n + 1, cap: Number(body["max_tokens"]), messages: messagesOf(body).length, surprises };
    asked.push(one);
    heard(one);
    const step = steps[n];
    return step === undefined || surprises.length > 0 ? refusal(surprises, n) : answerOf(step, n);
  });
  return { url, asked, close };
}

type Body = Readonly<Record<string, unknown>>;
const readBody = ({ body }: Received): Body => {
  try {
    return JSON.parse(body) as Body;
  } catch {
    return {};
  }
};
const messagesOf = ({ messages }: Body): readonly unknown[] => (Array.isArray(messages) ? messages : []);

function* surprisesIn({ method, path }: Received, body: Body, n: number): Generator<string> {
  const step = steps[n];
  if (`${method} ${path}` !== "POST /v1/messages") yield `It is ${method} ${path}, not POST /v1/messages.`;
  yield* wire.violations(body);
  for (const id of withheldBefore(n)) if (holds(body, `"${id}"`)) yield `It holds ${id}, which never was a call.`;
  if (holds(body, '"is_error":true')) yield "A tool failed.";
  if (step === undefined) yield `After ${steps.length} replies nothing more was to be asked.`;
  else yield* unlike(step, body, n);
}

const holds = (part: unknown, text: string): boolean => JSON.stringify(part ?? "").includes(text);

/** How a valid request differs from the one that the step is for. */
function* unlike({ cap, asked }: Step, body: Body, n: number): Generator<string> {
  if (body["max_tokens"] !== cap) yield `Its cap is ${String(body["max_tokens"])}, and should be ${cap}.`;
  if (body["stream"] !== true) yield "It does not ask for a stream.";
  const last = messagesOf(body).at(-1);
  for (const words of asked === undefined ? resultsBefore(n) : [asked])
    if (!holds(last, words)) yield `Its last message does not hold "${words}".`;
}

/** No reply that was held back may leave an input in the history. */
const withheldBefore = (n: number): readonly string[] =>
  steps
    .slice(0, n)
    .flatMap(({ accident, inputs = [] }, before) => (accident === undefined ? [] : inputs.map((_, position) => idOf(before, position))));

/** The ids that the calls of the last whole reply must be answered under. */
function resultsBefore(n: number): readonly string[] {
  const whole = steps.findLastIndex(({ accident }, before) => before < n && accident === undefined);
  return (steps[whole]?.inputs ?? []).map((_, position) => idOf(whole, position));
}

const encoder = new TextEncoder();

function answerOf(step: Step, n: number): Answer {
  const events = framesOf(step, n).map((data) => `event: ${(JSON.parse(data) as { type: string }).type}\ndata: ${data}\n\n`);
  return {
    headers: { "content-type": "text/event-stream; charset=utf-8", "request-id": `req_demo_${n + 1}` },
    chunks: events.map((event) => encoder.encode(event)),
    fault: step.accident?.kind === "dropped" ? "reset" : undefined,
  };
}

function refusal(surprises: readonly string[], n: number): Answer {
  const error = { type: "invalid_request_error", message: `The script did not expect request ${n + 1}: ${surprises.join(" ")}` };
  const body = JSON.stringify({ type: "error", error, request_id: `req_demo_${n + 1}` });
  return { status: 400, headers: { "content-type": "application/json" }, chunks: [encoder.encode(body)] };
}
