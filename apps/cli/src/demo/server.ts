import { type Answer, type Received, serve } from "@fullstop/conformance/server";
import { faultRules } from "./fault.ts";
import { buildFrames, inputId, inputsSent } from "./frames.ts";
import { type Fields, type Protocol, type Provider, sendsWholeInputs } from "./providers.ts";
import { type Exchange, exchanges, expectedResult } from "./script.ts";

/** A request that the server received, and how it differs from the script. */
export interface ReceivedRequest {
  /** From 1. The reply to the request has the same number. */
  readonly reply: number;
  /** The output cap, in tokens. */
  readonly cap: number;
  /** How many messages it has. */
  readonly messages: number;
  /** One text for each difference. Empty if the script expects this request. */
  readonly problems: readonly string[];
  /** What happens to the reply, in a few words. Absent if the reply arrives complete. */
  readonly story?: string;
}
export interface DemoServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/**
 * Starts the provider on the loopback interface. It answers a request that the script expects with
 * the scripted reply, and any other request with status 400, as the vendor would.
 */
export async function startServer(
  provider: Provider,
  onRequest: (request: ReceivedRequest) => void,
): Promise<DemoServer> {
  const { protocol } = provider;
  const requests: ReceivedRequest[] = [];
  const { url, close } = await serve((received, index) => {
    const { cap, messages } = protocol.parseRequest(parseBody(received));
    const problems = [...findProblems(received, index, provider)];
    const request = {
      reply: index + 1,
      cap: Number(cap),
      messages: messages.length,
      problems,
      ...storyOf(index, protocol),
    };
    requests.push(request);
    onRequest(request);
    const exchange = exchanges[index];
    return exchange === undefined || problems.length > 0
      ? buildRefusal(problems, index, protocol)
      : buildAnswer(exchange, index, protocol);
  });
  return { url, requests, close };
}

const parseBody = ({ body }: Received): Fields => {
  try {
    return JSON.parse(body) as Fields;
  } catch {
    return {};
  }
};

function storyOf(index: number, protocol: Protocol): Pick<ReceivedRequest, "story"> {
  const fault = exchanges[index]?.fault;
  if (fault === undefined) return {};
  const toolUse = protocol.wire.nativeStops["tool-use"] ?? "";
  const story = faultRules[fault.kind].story(sendsWholeInputs(protocol), toolUse);
  return { story };
}

function* findProblems(
  received: Received,
  index: number,
  { protocol, path }: Provider,
): Generator<string> {
  const body = parseBody(received);
  const target = `${received.method} ${received.path}`;
  if (target !== `POST ${path}`) yield `It is ${target}, not POST ${path}.`;
  for (const { message } of protocol.wire.violations(body, received)) yield message;
  for (const id of withheldIdsBefore(index, protocol))
    if (containsText(body, `"${id}"`)) yield `It contains ${id}, which was held back.`;
  yield* compareWithScript(body, index, protocol);
}

const containsText = (part: unknown, text: string): boolean =>
  JSON.stringify(part ?? "").includes(text);

/** How a valid request differs from the one that the script expects. */
function* compareWithScript(body: Fields, index: number, protocol: Protocol): Generator<string> {
  const exchange = exchanges[index];
  if (exchange === undefined) return yield `The script ends after ${exchanges.length} requests.`;
  const { cap, streams, messages } = protocol.parseRequest(body);
  if (cap !== exchange.cap) yield `Its cap is ${String(cap)}, not ${exchange.cap}.`;
  if (!streams) yield "It does not ask for a stream.";
  const newMessages = messages.slice(messages.findLastIndex(protocol.isFromModel) + 1);
  const { requestContains } = exchange;
  for (const text of requestContains === undefined
    ? expectedResultsBefore(index, protocol)
    : [requestContains])
    if (!containsText(newMessages, text)) yield `Its new messages do not contain "${text}".`;
}

const hasCalls = ({ fault, salvaged }: Exchange): boolean =>
  fault === undefined || salvaged !== undefined;

/** The ids of the inputs that were held back. No later request may contain them. */
const withheldIdsBefore = (index: number, protocol: Protocol): readonly string[] =>
  exchanges
    .slice(0, index)
    .flatMap((exchange, before) =>
      hasCalls(exchange)
        ? []
        : inputsSent(exchange, protocol).map((_, position) => inputId(before, position, protocol)),
    );

/** The results of the last calls that ran, and the ids of these calls. */
function expectedResultsBefore(index: number, protocol: Protocol): readonly string[] {
  const last = exchanges.findLastIndex((exchange, before) => before < index && hasCalls(exchange));
  const { inputs = [], salvaged } = exchanges[last] ?? { cap: 0 };
  if (salvaged !== undefined) return [expectedResult(salvaged), ...salvageNotice];
  return inputs.flatMap((input, position) => [
    inputId(last, position, protocol),
    expectedResult(input),
  ]);
}
/** What the loop must tell the model about a call whose input the tool completed. */
const salvageNotice = ["incomplete", "edit"];

const encoder = new TextEncoder();

const buildAnswer = (exchange: Exchange, index: number, protocol: Protocol): Answer => ({
  headers: {
    "content-type": "text/event-stream; charset=utf-8",
    "request-id": `req_demo_${index + 1}`,
  },
  chunks: buildFrames(exchange, index, protocol).map((data) =>
    encoder.encode(`${eventLine(data)}data: ${data}\n\n`),
  ),
  fault: exchange.fault?.kind === "dropped" ? "reset" : undefined,
});

/** The `event:` line of an event that begins with its type. */
const eventLine = (data: string): string => {
  const [, type] = /^\{"type":"([^"]+)"/.exec(data) ?? [];
  return type === undefined ? "" : `event: ${type}\n`;
};

function buildRefusal(problems: readonly string[], index: number, protocol: Protocol): Answer {
  const message = `The script did not expect request ${index + 1}: ${problems.join(" ")}`;
  return {
    status: 400,
    headers: { "content-type": "application/json", "request-id": `req_demo_${index + 1}` },
    chunks: [encoder.encode(JSON.stringify(protocol.badRequest(message)))],
  };
}
