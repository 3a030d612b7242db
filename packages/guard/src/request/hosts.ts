import type { ReplyReader } from "@fullstop/core";
import {
  type AnthropicDialectName,
  anthropicReply,
  dialectNamed,
  dialects as messagesDialects,
} from "@fullstop/provider-anthropic/reply";
import { googleReply, interactionsReply } from "@fullstop/provider-google/reply";
import { mistralReply } from "@fullstop/provider-mistral/reply";
import { openaiChatReply, openaiReply, type StopSequences } from "@fullstop/provider-openai/reply";
import {
  type DialectName,
  dialects,
  type NamedDialect,
  openaiCompatibleReply,
} from "@fullstop/provider-openai-compatible/reply";
import { checkHostFacts } from "../check-options.ts";
import type { GuardedRequest, HostFacts, ProtocolName } from "../options.ts";

/** What the program said about the host, and what the request asks for. */
interface ReplyFacts extends HostFacts, Asked {}
/** What a request asks for that decides how its reply is read. */
export interface Asked {
  readonly requested: "one" | "any";
  readonly stopSequences: StopSequences;
}
type ReaderOf = (request: GuardedRequest, facts: ReplyFacts) => ReplyReader;

const noFacts: HostFacts = {};
/** Clients choose the models, which may be many and long. */
const maxReaders = 100;
const longestKey = 200;

/** Gives readers for a guard. Nothing else of a request changes its reader, so each is made once. */
export function createReaders() {
  const byFacts = new WeakMap<HostFacts, Map<string, ReplyReader>>();
  return (request: GuardedRequest, asked: Asked, facts: HostFacts = noFacts): ReplyReader => {
    const { protocol, model, url } = request;
    const key = `${protocol} ${asked.requested} ${asked.stopSequences} ${url.host} ${model ?? ""}`;
    const known = byFacts.get(facts) ?? new Map<string, ReplyReader>();
    const reader = known.get(key);
    if (reader !== undefined) return reader;
    checkHostFacts(facts);
    const made = readerOf(request, { ...facts, ...asked });
    if (known.size >= maxReaders) known.clear();
    if (key.length <= longestKey) byFacts.set(facts, known.set(key, made));
    return made;
  };
}

function readerOf(request: GuardedRequest, facts: ReplyFacts): ReplyReader {
  // The gate compares the cap if the request has one. A request without one is the provider's to refuse.
  const { capRequired: _, ...reader } = readers[request.protocol](request, facts);
  return reader;
}

const readers: Readonly<Record<ProtocolName, ReaderOf>> = {
  "anthropic-messages": ({ model = "", url }, { dialect, ...facts }) => {
    const name = dialect ?? nameAt(url, messagesNames);
    const row =
      name !== undefined && isMessagesDialect(name) ? { dialect: dialectNamed(name) } : {};
    return anthropicReply(model, { ...facts, ...row });
  },
  "gemini-generate-content": ({ model = "", url }, facts) =>
    googleReply(model, { vertexai: isVertex(url), ...facts }),
  "gemini-interactions": ({ model = "", url }, facts) =>
    interactionsReply(model, { vertexai: isVertex(url), ...facts }),
  "openai-chat": ({ model = "", url }, facts) => chatReader(model, url, facts),
  "openai-responses": ({ model = "", url }, facts) =>
    openaiReply(model, { ...facts, baseURL: url.href, unknownItems: "pass" }),
};

const isVertex = ({ host }: URL): boolean => /(?:^|\.|-)aiplatform\./.test(host);

function chatReader(
  model: string,
  url: URL,
  { doneEnds, dialect, ...facts }: ReplyFacts,
): ReplyReader {
  if (dialect === undefined && doneEnds !== true) {
    if (openaiHost.test(url.host)) return openaiChatReply(model, facts);
    if (url.host === "api.mistral.ai") return mistralReply(model, facts);
  }
  const row = dialect ?? (copilotHost.test(url.hostname) ? copilot : dialectAt(url));
  return openaiCompatibleReply(
    doneEnds === undefined
      ? row
      : { ...(typeof row === "string" ? { name: row, ...dialects[row] } : row), doneEnds },
    model,
    { ...facts, baseURL: url.href },
  );
}

const openaiHost = /(?:^|\.)api\.openai\.com$/;
const copilotHost = /(?:^|\.)githubcopilot\.com$/;
/** GitHub Copilot splits one reply over several choices, as `@fullstop/provider-copilot` knows. */
const copilot: NamedDialect = {
  name: "copilot",
  mergesChoices: true,
  reasoningTokens: "counted",
  doneEnds: false,
};

/** The dialect whose address a URL has. A local server has its usual port. */
function dialectAt(url: URL): DialectName {
  if (/\.openai\.azure\.com$|\.services\.ai\.azure\.com$/.test(url.hostname)) return "azure";
  return nameAt(url, chatNames) ?? "custom";
}

/** A host that has a row for Chat only is read as Anthropic itself. */
const isMessagesDialect = (name: DialectName): name is AnthropicDialectName =>
  Object.hasOwn(messagesDialects, name);

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const addressOf = ({ hostname, host, port }: URL): string =>
  loopback.test(hostname) ? `localhost:${port}` : host;

/** Hosts that have another address in China than in their row. */
const addressesInChina: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ["api.minimaxi.com", "api.minimax.io"],
  ["api.moonshot.cn", "api.moonshot.ai"],
  ["api.siliconflow.cn", "api.siliconflow.com"],
  ["dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com"],
  ["open.bigmodel.cn", "api.z.ai"],
]);

/** A region has a name before the host: `eu.openrouter.ai`, `us-east-1.api.x.ai`. */
function nameAt<Name>(url: URL, names: ReadonlyMap<string, Name>): Name | undefined {
  const given = addressOf(url);
  const address = addressesInChina.get(given) ?? given;
  return names.get(address) ?? names.get(address.replace(/^[^.]+\./, ""));
}

/** Addresses are parsed once, and not for each request. If rows share one, the first has it. */
const namesByAddress = <Name extends string>(
  rows: Readonly<Record<Name, { readonly baseURL?: string }>>,
): ReadonlyMap<string, Name> =>
  new Map(
    (Object.entries(rows) as [Name, { readonly baseURL?: string }][])
      .flatMap(([name, { baseURL }]): [string, Name][] =>
        baseURL === undefined ? [] : [[addressOf(new URL(baseURL)), name]],
      )
      .reverse(),
  );
const chatNames = /* @__PURE__ */ namesByAddress(dialects);
const messagesNames = /* @__PURE__ */ namesByAddress(messagesDialects);
