import type { AdapterSubject } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { interactionsWire } from "@fullstop/conformance/wires/gemini-interactions";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { type GuardOptions, guard, type HostFacts } from "@fullstop/guard";
import { anthropic } from "@fullstop/provider-anthropic";
import { google, googleInteractions } from "@fullstop/provider-google";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { type DialectName, dialects, openaiCompatible } from "@fullstop/provider-openai-compatible";
import { GoogleGenAI } from "@google/genai";
import { isFull } from "@tooling/test/full";
import { places } from "@tooling/test/sample";
// @boundaries-ignore the hosts of Messages, from the server's side
import { wireOf as messagesWireOf, modelOf } from "../../../provider-anthropic/test/host-wires.ts";
// @boundaries-ignore the hosts of the dialects, from the server's side
import { rows } from "../../../provider-openai-compatible/test/rows.ts";
// @boundaries-ignore the same
import { wireOf } from "../../../provider-openai-compatible/test/wire.ts";

/** Places of each reply. `--exhaustive` tries all. */
export const sample: number | undefined = places(6);

/**
 * What the guards of the protocols can do in different ways: what leaves them, and how they read the
 * cap. The clauses beside `guard` are those that catch broken guards in the suite's `guarded.test.ts`.
 * `chat.test.ts` asks for everything, and `test:all` does so for each protocol.
 */
export const families: readonly string[] | undefined = isFull
  ? undefined
  : ["guard", "stop.whole", "stop.words", "stop.cut", "stop.cap", "turn.text-kept"];

/** What a broken socket does to a guard is asked of one protocol: that of Anthropic. */
export const sockets: false | undefined = isFull ? undefined : false;

/** The suite sends replies without an end, up to 24 Mi, and its clients give up a silent one. */
const silent: GuardOptions = {
  onUnguarded: () => undefined,
  maxHeld: 16 * 1024 * 1024,
  closeMs: 0,
};
/** The suite's provider has an address that no dialect has. */
const guardAs =
  (facts: HostFacts = {}): NonNullable<AdapterSubject["guard"]> =>
  (fetch) =>
    guard(fetch, { ...silent, host: () => facts });

const stopForBoth = "a reply with calls ends with the native stop reason of a finished text";

export const anthropicSubject: AdapterSubject = {
  wire: anthropicWire,
  adapter: (endpoint) => anthropic("claude-sonnet-5-5", { apiKey: "key", ...endpoint }),
  wholeAdapter: (endpoint) =>
    anthropic("claude-sonnet-5-5", { apiKey: "key", stream: false, ...endpoint }),
  guard: guardAs(),
};

export const responsesSubject: AdapterSubject = {
  wire: openaiResponsesWire,
  adapter: (endpoint) => openai("gpt-5.5", { apiKey: "key", ...endpoint }),
  wholeAdapter: (endpoint) => openai("gpt-5.5", { apiKey: "key", stream: false, ...endpoint }),
  guard: guardAs(),
  notClaimed: { "stop.no-call": stopForBoth },
};

/** Its address says that it is OpenAI. */
export const chatSubject: AdapterSubject = {
  wire: openaiChatWire,
  adapter: ({ fetch }) => openaiChat("gpt-5.2", { apiKey: "key", fetch }),
  wholeAdapter: ({ fetch }) => openaiChat("gpt-5.2", { apiKey: "key", stream: false, fetch }),
  guard: guardAs(),
};

export const geminiSubject: AdapterSubject = {
  wire: geminiWire,
  adapter: (endpoint) => google("gemini-3.1-pro", { apiKey: "key", ...endpoint }),
  wholeAdapter: (endpoint) =>
    google("gemini-3.1-pro", { apiKey: "key", stream: false, ...endpoint }),
  guard: guardAs(),
  notClaimed: { "stop.no-call": stopForBoth },
};

export const interactionsSubject: AdapterSubject = {
  wire: interactionsWire,
  adapter: (endpoint) => googleInteractions("gemini-3.8-flash", { apiKey: "key", ...endpoint }),
  wholeAdapter: (endpoint) =>
    googleInteractions("gemini-3.8-flash", { apiKey: "key", stream: false, ...endpoint }),
  guard: guardAs(),
};

const credentials = {
  getRequestHeaders: async () => new Headers({ authorization: "Bearer key" }),
  quotaProjectId: undefined,
};

/** Its address says that it is Vertex AI. */
export const vertexSubject: AdapterSubject = {
  wire: { ...geminiWire, name: `${geminiWire.name}, Vertex` },
  adapter: ({ fetch }) =>
    google("gemini-3.1-pro", {
      client: new GoogleGenAI({
        vertexai: true,
        project: "p",
        location: "europe-west4",
        googleAuthOptions: { authClient: credentials as never },
        ...(fetch && { httpOptions: { fetch } }),
      }),
    }),
  guard: guardAs(),
  notClaimed: { "stop.no-call": stopForBoth },
};

/** What the guard changes in the replies of some hosts. */
const repeatsNames =
  "the host names a call in each chunk: the call leaves once, under the stop reason of calls";
const notClaimedBehindGuard: Readonly<Record<string, AdapterSubject["notClaimed"]>> = {
  litellm: { "turn.reason-kept": repeatsNames },
  nim: {
    "turn.reason-kept": "the host sends no stop reason: its calls leave with one",
    // A sample has none of the few places behind a stop reason.
    ...(isFull && {
      "stop.content-after":
        "`[DONE]` is the only end of its replies, so the guard lets a reply go there, and another one may follow",
      "stop.later-prefix": "a withheld reply that breaks behind its stop reason leaves as an error",
    }),
  },
  vllm: { "turn.reason-kept": repeatsNames },
};

/** The hosts of Chat Completions. */
export const dialectSubjects: Readonly<Record<string, AdapterSubject>> = Object.fromEntries(
  Object.entries(rows).map(([name, row]): [string, AdapterSubject] => {
    const dialect = name as DialectName;
    const subject: AdapterSubject = {
      wire: wireOf(name, row),
      // A host that omits the `finish_reason` may do so only at its own address.
      adapter: (endpoint) =>
        openaiCompatible(dialect, "m", {
          apiKey: "key",
          ...endpoint,
          ...(dialects[dialect].matchedStop && { params: { stop: ["END"] } }),
          ...(dialects[dialect].doneEnds === true && { baseURL: dialects[dialect].baseURL }),
        }),
      guard: guardAs({ dialect }),
      notClaimed: { ...row.notClaimed, ...notClaimedBehindGuard[name] },
    };
    return [name, subject];
  }),
);

/** Hosts of Messages: one of each that its row reads in another way. */
export const messagesHostSubjects: readonly AdapterSubject[] = (["ollama", "vercel"] as const).map(
  (dialect) => ({
    wire: messagesWireOf(dialect),
    adapter: (endpoint) => anthropic(modelOf(dialect), { dialect, apiKey: "key", ...endpoint }),
    guard: guardAs({ dialect }),
  }),
);

const corpus: readonly AdapterSubject[] = [
  anthropicSubject,
  responsesSubject,
  chatSubject,
  geminiSubject,
  interactionsSubject,
];
/**
 * `pnpm conformance adapter packages/guard/test/clauses/subjects.ts --only guard --exhaustive` cuts
 * every reply at every byte.
 */
const named: readonly AdapterSubject[] = corpus.map((subject) => ({
  ...subject,
  name: subject.wire.name,
}));
export default named;
