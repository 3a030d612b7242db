import type { ReplyReader } from "@fullstop/core";
import {
  callUserFunction,
  type Fields,
  fieldsOf,
  isFields,
  type SentRequest,
  tryParseJson,
} from "@fullstop/core/adapter";
import { stopSequencesIn } from "@fullstop/provider-openai/reply";
import type { Fetch, GuardedRequest, GuardOptions } from "../options.ts";
import { protocols } from "../protocols/index.ts";
import type { Failure, Protocol } from "../protocols/protocol.ts";
import type { HeldShare } from "../reply/held-total.ts";
import { noRoom } from "../reply/no-room.ts";
import { errorResponse } from "../reply/response.ts";
import {
  defaultMaxDecoded,
  type FetchArguments,
  mayBeJson,
  readRequest,
  type UnreadBody,
} from "./body.ts";
import { createReaders } from "./hosts.ts";
import {
  findPath,
  isStateful,
  type KnownPath,
  mayReply,
  modelOf,
  namesTools,
  nestsTools,
} from "./recognize.ts";

export interface InspectedRequest {
  readonly kind: "guarded";
  readonly request: GuardedRequest;
  readonly protocol: Protocol;
  readonly reader: ReplyReader;
  readonly sent: SentRequest;
  readonly send: FetchArguments;
  readonly body: Fields;
  readonly bodyText: string;
  readonly reportUnguarded: (reason: string) => void;
}
export type Inspected =
  | InspectedRequest
  | { readonly kind: "unguarded"; readonly send: FetchArguments }
  | { readonly kind: "refused"; readonly response: Response };

type Inspector = (call: Parameters<Fetch>, share: HeldShare) => Promise<Inspected>;

export function createInspector(options: GuardOptions): Inspector {
  const report = createReporter(options);
  const readerOf = createReaders();
  return async ([input, init], share) => {
    const url = urlOf(input);
    const call = { input, init, url: url ?? nowhere, share };
    const method = methodOf(input, init);
    const known = url && findPath(method, url);
    if (known !== undefined) return inspectKnown(call, known, { options, report, readerOf });
    if (url && method === "POST" && mayReply(url) && mayBeJson([input, init]))
      return inspectUnknown(call, options, report);
    return { kind: "unguarded", send: [input, init] };
  };
}

interface FetchCall {
  readonly input: FetchArguments[0];
  readonly init: FetchArguments[1];
  readonly url: URL;
  readonly share: HeldShare;
}
interface InspectContext {
  readonly options: GuardOptions;
  readonly report: Reporter;
  readonly readerOf: ReturnType<typeof createReaders>;
}

async function inspectKnown(
  { input, init, url, share }: FetchCall,
  known: KnownPath,
  { options, report, readerOf }: InspectContext,
): Promise<Inspected> {
  const protocol = protocols[known.protocol];
  const { maxDecoded = defaultMaxDecoded } = options;
  const { send, text, encoding } = await readRequest(input, init, { maxDecoded, share });
  if (typeof text !== "string")
    return refuse(protocol, bodyFailures[text.problem]({ encoding, maxDecoded }));
  // The provider refuses a body that is not JSON. If it does not, the reply is judged without it.
  const parsed = tryParseJson(text);
  const body = fieldsOf(parsed);
  const isRequest = known.method === "GET" || namesTools(body) || known.isRequest(body);
  if (nestsTools(parsed) && !isRequest)
    return passUnjudged({ url, send, protocol }, otherForm, { options, report });
  if (isFields(parsed) && !isRequest) return { kind: "unguarded", send };
  const sent = isFields(body["request"]) ? body["request"] : body;
  const request: GuardedRequest = {
    protocol: known.protocol,
    url,
    model: modelOf(body, url),
    // What can be fetched again is kept by the provider.
    isStateful: known.method === "GET" || isStateful[known.protocol](body),
  };
  const facts = options.host?.(request) ?? undefined;
  if (facts === "unguarded") return { kind: "unguarded", send };
  const isOne = known.method === "POST" && countOf(sent) === 1;
  return {
    kind: "guarded",
    request,
    protocol,
    reader: readerOf(
      request,
      { requested: isOne ? "one" : "any", stopSequences: stopSequencesIn(sent) },
      facts,
    ),
    sent: { body: sent },
    send,
    body,
    bodyText: text,
    reportUnguarded: (reason) => report(url, reason),
  };
}

const countOf = (sent: Fields): unknown =>
  sent["n"] ?? fieldsOf(sent["generationConfig"])["candidateCount"] ?? 1;

/** An address that cannot be parsed, such as a relative one. */
const nowhere = new URL("about:blank");
const methodOf = (input: FetchArguments[0], init: FetchArguments[1]): string =>
  (init?.method ?? (input instanceof Request ? input.method : "GET")).toUpperCase();

function urlOf(input: FetchArguments[0]): URL | undefined {
  if (input instanceof URL) return input;
  const address = input instanceof Request ? input.url : String(input);
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** Only JSON bodies can name tools. */
async function inspectUnknown(
  { input, init, url, share }: FetchCall,
  options: GuardOptions,
  report: Reporter,
): Promise<Inspected> {
  const { maxDecoded = defaultMaxDecoded } = options;
  const { send, text } = await readRequest(input, init, { maxDecoded, share });
  if (typeof text !== "string" && text.problem === "no-room")
    return refuse(protocols["openai-chat"], noRoom);
  if (typeof text !== "string" || !namesTools(tryParseJson(text)))
    return { kind: "unguarded", send };
  return passUnjudged({ url, send, protocol: protocols["openai-chat"] }, otherPath, {
    options,
    report,
  });
}

interface Unjudged {
  readonly url: URL;
  readonly send: FetchArguments;
  readonly protocol: Protocol;
}
/** Why the guard cannot judge the reply to a request that names tools. */
interface UnjudgedReason {
  readonly reason: string;
  readonly refusal: (url: URL) => string;
}
function passUnjudged(
  { url, send, protocol }: Unjudged,
  { reason, refusal }: UnjudgedReason,
  { options, report }: Pick<InspectContext, "options" | "report">,
): Inspected {
  report(url, reason);
  return options.strict
    ? refuse(protocol, asFailure(400, refusal(url)))
    : { kind: "unguarded", send };
}

const refuse = (protocol: Protocol, failure: Failure): Inspected => ({
  kind: "refused",
  response: errorResponse(protocol, failure),
});
const asFailure = (status: number, message: string): Failure => ({
  status,
  isRetryable: false,
  message,
});

interface BodyFacts {
  readonly encoding: string | undefined;
  readonly maxDecoded: number;
}
const bodyFailures: Readonly<Record<UnreadBody["problem"], (facts: BodyFacts) => Failure>> = {
  encoding: ({ encoding }) =>
    asFailure(
      415,
      `The guard cannot read this request: its content-encoding is "${encoding}". Send it without compression, or with gzip.`,
    ),
  "too-large": ({ maxDecoded }) =>
    asFailure(
      413,
      `The decoded body of this request has more than ${maxDecoded} bytes. Send less, or raise \`maxDecoded\` of the guard (\`--max-decoded\` of the gateway).`,
    ),
  "no-room": () => noRoom,
};
const otherPath: UnjudgedReason = {
  reason: "the guard does not know its path",
  refusal: ({ pathname }) =>
    `This request names tools, and the guard does not know the path ${pathname}, so it cannot judge the reply. Use a path of Messages, Chat Completions, Responses, generateContent or Interactions, or set \`strict: false\`.`,
};
const otherForm: UnjudgedReason = {
  reason: "the guard does not know the form of its body",
  refusal: ({ pathname }) =>
    `This request names tools, and its body has another form than the protocol of ${pathname}, so the guard cannot judge the reply. Send a body of the protocol, or set \`strict: false\`.`,
};

type Reporter = (url: URL, reason: string) => void;

/** Reports each path once. */
function createReporter({ onUnguarded = warn }: GuardOptions): Reporter {
  const reported = new Set<string>();
  return (url, reason) => {
    const path = `${url.origin}${url.pathname}`;
    if (reported.has(path) || reported.size >= maxReported) return;
    reported.add(path);
    callUserFunction("`onUnguarded` of the guard", () => onUnguarded({ url, reason }), undefined);
  };
}
const maxReported = 1000;

const warn: NonNullable<GuardOptions["onUnguarded"]> = ({ url, reason }) =>
  console.warn(
    `Fullstop does not guard the calls of ${url.origin}${url.pathname}: ${reason}. Set \`strict: true\` to refuse such requests.`,
  );
