import { cap, type Fixture } from "@fullstop/conformance";
import { parseJson } from "@fullstop/core/adapter";
import { type Fetch, type GuardOptions, guard } from "@fullstop/guard";
import { type Guarded, type PlayedReply, readGuarded, type TestServer } from "./server.ts";

/** The texts of the events of a fixture. */
export const eventsOf = ({ frames }: Fixture): readonly string[] => [
  ...frames.upToTerminal,
  ...(frames.after ?? []),
];

const json = { "content-type": "application/json; charset=UTF-8" };
const data = (event: string): string => `data: ${event}\r\n\r\n`;
const nested = (event: string): string => `{"response":${event},"traceId":"t1"}`;

/** A way in which Google sends the events of a reply. */
export interface Shape {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The request nests too. */
  readonly isNested?: true;
  render(events: readonly string[]): string;
  /** The events of such a text. */
  parse(text: string): readonly unknown[];
}
const parseEvents = (text: string): readonly unknown[] =>
  text
    .split(/\r?\n\r?\n/)
    .filter((event) => event.startsWith("data: "))
    .map((event) => JSON.parse(event.slice(6)));
const inner = (event: unknown): unknown => (event as { response?: unknown }).response ?? event;

const model = "/v1beta/models/gemini-3.1-pro";
export const shapes: Readonly<Record<"events" | "list" | "assist" | "assist list", Shape>> = {
  events: {
    path: `${model}:streamGenerateContent?alt=sse`,
    render: (events) => events.map(data).join(""),
    parse: parseEvents,
  },
  list: {
    path: `${model}:streamGenerateContent`,
    headers: json,
    render: (events) => `[${events.join(",\r\n")}]`,
    parse: (text) => JSON.parse(text),
  },
  assist: {
    path: "/v1internal:streamGenerateContent?alt=sse",
    isNested: true,
    render: (events) => events.map(nested).map(data).join(""),
    parse: (text) => parseEvents(text).map(inner),
  },
  "assist list": {
    path: "/v1internal:streamGenerateContent",
    headers: json,
    isNested: true,
    render: (events) => `[${events.map(nested).join(",\r\n")}]`,
    parse: (text) => JSON.parse(text).map(inner),
  },
};
/** A reply to a request that does not stream. */
export const bodyShape: Shape = {
  path: `${model}:generateContent`,
  headers: json,
  render: ([body = ""]) => body,
  parse: (text) => [JSON.parse(text)],
};

/** All parts of a fixture in one body, with what its last event says. */
export function wholeOf(fixture: Fixture): string {
  if (fixture.body !== undefined) return fixture.body;
  const events = eventsOf(fixture).map((text) => parseJson<Event>(text));
  const candidates = [0, 1].flatMap((at) => {
    const all = events
      .flatMap((event) => event.candidates ?? [])
      .filter(({ index = 0 }) => index === at);
    const parts = partsOf([{ candidates: all }]);
    return all.length === 0
      ? []
      : [Object.assign({}, ...all, { content: { parts, role: "model" } })];
  });
  return JSON.stringify(Object.assign({}, ...events, candidates.length > 0 && { candidates }));
}

export const played = (
  shape: Shape,
  events: readonly string[],
  rest: Partial<PlayedReply> = {},
): PlayedReply => ({ ...shape, chunks: [shape.render(events)], ...rest });

const property = { type: "string" };
/** A request of the protocol. Its tools are those of the corpus. */
export const geminiRequest: {
  readonly contents: readonly object[];
  readonly tools: readonly object[];
  readonly generationConfig: object;
} = {
  contents: [{ role: "user", parts: [{ text: "Read the notes." }] }],
  tools: [
    {
      functionDeclarations: [
        {
          name: "read",
          parametersJsonSchema: { type: "object", properties: { path: property } },
        },
        { name: "list", parametersJsonSchema: { type: "object", properties: { of: property } } },
      ],
    },
  ],
  generationConfig: { maxOutputTokens: cap },
};

/** A server, or what stands in for its `fetch`. */
export interface Upstream extends Pick<TestServer, "url"> {
  readonly fetch?: Fetch;
}

/** Asks through the guard, as a program that reads all bytes. */
export function ask(
  { url, fetch = globalThis.fetch }: Upstream,
  shape: Shape,
  options: GuardOptions = {},
  request: object = geminiRequest,
): Promise<Guarded> {
  const body = shape.isNested ? { model: "gemini-3.1-pro", project: "p", request } : request;
  const init = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  return readGuarded((given) => guard(fetch, given)(url + shape.path, init), options);
}

interface Event {
  readonly candidates?: readonly Candidate[];
}
export type Part = Readonly<Record<string, unknown>>;
interface Candidate {
  readonly content?: { readonly parts?: readonly Part[]; readonly role?: string };
  readonly finishReason?: string;
  readonly finishMessage?: string;
  readonly index?: number;
}
export const candidatesOf = (events: readonly unknown[]): readonly Candidate[] =>
  events.flatMap((event) => (event as Event).candidates ?? []);
export const partsOf = (events: readonly unknown[]): readonly Part[] =>
  candidatesOf(events).flatMap(({ content }) => content?.parts ?? []);
/** The finish reason that a client ends with. */
export const endOf = (events: readonly unknown[]): string | undefined =>
  candidatesOf(events).findLast(({ finishReason }) => finishReason !== undefined)?.finishReason;

/** A sign of a call part in bytes, however they are cut. The words of an error may quote it. */
export const leaks = (text: string): boolean => /(?<!\\)"function_?C/i.test(text);

/** An event of a reply. */
export const event = (parts: readonly Part[], rest: object = {}, index = 0): string =>
  JSON.stringify({
    candidates: [{ content: { parts, role: "model" }, index, ...rest }],
    usageMetadata: { promptTokenCount: 25, candidatesTokenCount: 12, totalTokenCount: 37 },
    modelVersion: "gemini-3.1-pro",
    responseId: "r1",
  });
/** The last event of a reply. */
export const end = (finishReason: string, rest: object = {}): string =>
  event([{ text: "" }], { finishReason, ...rest });

/** The next request of an agent that keeps what is not empty, and says a further sentence. */
export const nextRequest = (events: readonly unknown[]): object => ({
  ...geminiRequest,
  contents: [
    ...geminiRequest.contents,
    { role: "model", parts: partsOf(events).filter((part) => isKept(part)) },
    { role: "user", parts: [{ text: "Go on." }] },
  ],
});
const isKept = ({ text, ...rest }: Part): boolean => text !== "" || Object.keys(rest).length > 0;

export async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
