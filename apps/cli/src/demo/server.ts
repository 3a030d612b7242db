import { type Answer, type Received, serve } from "@fullstop/conformance/server";
import { arriving, framesOf, idOf } from "./frames.ts";
import { comeWhole, type Fields, type Protocol } from "./protocols/protocol.ts";
import type { Provider } from "./providers.ts";
import { accidents, resultOf, type Step, steps } from "./script.ts";

/** A request that came, and what is wrong with it. */
export interface Asked {
  /** From 1; its reply has the same number. */
  readonly reply: number;
  readonly cap: number;
  readonly messages: number;
  readonly surprises: readonly string[];
  /** What happens to its reply, for a person. */
  readonly story?: string;
}
export interface Server {
  readonly url: string;
  readonly asked: readonly Asked[];
  close(): Promise<void>;
}

/** The provider behind a real socket. It answers what the script expects; anything else with a 400, as the vendor would. */
export async function startServer(
  provider: Provider,
  heard: (asked: Asked) => void,
): Promise<Server> {
  const { protocol } = provider;
  const asked: Asked[] = [];
  const { url, close } = await serve((request, n) => {
    const body = readBody(request);
    const { cap, messages } = protocol.read(body);
    const surprises = [...surprisesIn(request, n, provider)];
    const one = {
      reply: n + 1,
      cap: Number(cap),
      messages: messages.length,
      surprises,
      ...storyOf(n, protocol),
    };
    asked.push(one);
    heard(one);
    const step = steps[n];
    return step === undefined || surprises.length > 0
      ? refusal(surprises, n, protocol)
      : answerOf(step, n, protocol);
  });
  return { url, asked, close };
}

const readBody = ({ body }: Received): Fields => {
  try {
    return JSON.parse(body) as Fields;
  } catch {
    return {};
  }
};

function storyOf(n: number, protocol: Protocol): Pick<Asked, "story"> {
  const accident = steps[n]?.accident;
  const word = protocol.wire.nativeStops["tool-use"] ?? "";
  return accident === undefined
    ? {}
    : { story: accidents[accident.kind].story({ whole: comeWhole(protocol), word }) };
}

function* surprisesIn(
  request: Received,
  n: number,
  { protocol, path }: Provider,
): Generator<string> {
  const body = readBody(request);
  const came = `${request.method} ${request.path}`;
  if (came !== `POST ${path}`) yield `It is ${came}, not POST ${path}.`;
  yield* protocol.wire.violations(body);
  for (const id of withheldBefore(n, protocol))
    if (holds(body, `"${id}"`)) yield `It holds ${id}, which never was a call.`;
  yield* unlike(body, n, protocol);
}

const holds = (part: unknown, text: string): boolean => JSON.stringify(part ?? "").includes(text);

/** How a valid request differs from the one that the script expects. */
function* unlike(body: Fields, n: number, protocol: Protocol): Generator<string> {
  const step = steps[n];
  if (step === undefined)
    return yield `After ${steps.length} replies nothing more was to be asked.`;
  const { cap, streams, messages } = protocol.read(body);
  if (cap !== step.cap) yield `Its cap is ${String(cap)}, and should be ${step.cap}.`;
  if (!streams) yield "It does not ask for a stream.";
  const news = messages.slice(messages.findLastIndex(protocol.isModels) + 1);
  for (const words of step.asked === undefined ? resultsBefore(n, protocol) : [step.asked])
    if (!holds(news, words)) yield `What is new in it does not hold "${words}".`;
}

/** No reply that was held back may leave an input in the history. */
const withheldBefore = (n: number, protocol: Protocol): readonly string[] =>
  steps
    .slice(0, n)
    .flatMap((step, before) =>
      step.accident === undefined || step.salvaged !== undefined
        ? []
        : arriving(step, protocol).map((_, position) => idOf(before, position, protocol)),
    );

/** What the calls of the last reply that came to any must be answered with, and under which ids. */
function resultsBefore(n: number, protocol: Protocol): readonly string[] {
  const last = steps.findLastIndex(
    (step, before) => before < n && (step.accident === undefined || step.salvaged !== undefined),
  );
  const { inputs = [], salvaged } = steps[last] ?? { cap: 0 };
  if (salvaged !== undefined) return [resultOf(salvaged), ...salvageWords];
  return inputs.flatMap((input, position) => [idOf(last, position, protocol), resultOf(input)]);
}
/** What a model must be told of a call that its tool completed. */
const salvageWords = [
  "its arguments were incomplete",
  "Continue with edit",
  "do not write it again",
  "stop and say so",
];

const encoder = new TextEncoder();

function answerOf(step: Step, n: number, protocol: Protocol): Answer {
  return {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "request-id": `req_demo_${n + 1}`,
    },
    chunks: framesOf(step, n, protocol).map((data) =>
      encoder.encode(`${nameOf(data)}data: ${data}\n\n`),
    ),
    fault: step.accident?.kind === "dropped" ? "reset" : undefined,
  };
}

/** Events that have a type are named after it. */
const nameOf = (data: string): string => {
  const [, type] = /^\{"type":"([^"]+)"/.exec(data) ?? [];
  return type === undefined ? "" : `event: ${type}\n`;
};

const refusal = (surprises: readonly string[], n: number, protocol: Protocol): Answer => ({
  status: 400,
  headers: { "content-type": "application/json", "request-id": `req_demo_${n + 1}` },
  chunks: [
    encoder.encode(
      JSON.stringify(
        protocol.refusal(`The script did not expect request ${n + 1}: ${surprises.join(" ")}`),
      ),
    ),
  ],
});
