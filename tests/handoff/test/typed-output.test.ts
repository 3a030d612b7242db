import { cap, type Received } from "@fullstop/conformance";
import { type Serving, serve } from "@fullstop/conformance/server";
import type { Adapter, Endpoint } from "@fullstop/core";
import { outputToolName } from "@fullstop/core/adapter";
import { jsonSchema, type Outcome, type RunOptions, run, type Tool } from "@fullstop/loop";
import { isFull } from "@tooling/test/full";
import { afterAll, expect, test } from "vitest";
import { answerWith } from "./provider.ts";
import { type Speaker, speakers } from "./speakers.ts";

const trip = { city: "Zürich", days: 3 };
const json = JSON.stringify(trip);
const output = jsonSchema({
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city", "days"],
  additionalProperties: false,
});
const lookup: Tool = {
  name: "lookup",
  description: "Looks something up.",
  inputSchema: jsonSchema({ type: "object" }),
  execute: () => "Found.",
};

/** A reply of the model: a call of `lookup`, or the object in the form that the request asks for. */
type Stop = "length" | "content-filter";
type Played = "lookup" | { readonly text: string; readonly stop?: Stop; readonly used?: number };

const servers: Serving[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

const asksForTool = ({ body }: Received): boolean => body.includes(`"${outputToolName}"`);

function answer(speaker: Speaker, played: Played, request: Received, count: number) {
  const { frames, nativeStops } = speaker.wire;
  const id = speaker.id(count, 0);
  const { text, stop, used } = played === "lookup" ? { text: "{}" } : played;
  const name = asksForTool(request) ? outputToolName : undefined;
  const called = played === "lookup" ? "lookup" : name;
  const block = called === undefined ? { text } : { name: called, id, input: JSON.parse(text) };
  const native = nativeStops[stop ?? (called === undefined ? "stop" : "tool-use")];
  const output = used ?? (stop === "length" ? cap : 12);
  return answerWith(
    frames({ blocks: [block], stop: native ?? "", output }),
    { kind: "none" },
    speaker.wire,
  );
}

/** A server on a socket that plays these replies, and then an error. */
async function play(speaker: Speaker, replies: readonly Played[]) {
  const server = await serve((request, count) =>
    answer(speaker, replies[count] ?? { text: "" }, request, count),
  );
  servers.push(server);
  const endpoint: Endpoint = { baseURL: server.url, apiKey: "key" };
  return { server, adapter: speaker.adapter(endpoint) };
}

async function runWith(
  speaker: Speaker,
  replies: readonly Played[],
  options: Partial<RunOptions> = {},
): Promise<{ readonly outcome: Outcome; readonly requests: readonly Received[] }> {
  const { server, adapter } = await play(speaker, replies);
  const outcome = await run({
    adapter,
    output,
    prompt: "Plan a trip.",
    request: { maxTokens: cap },
    ...options,
  }).outcome();
  return { outcome, requests: server.requests };
}

const each = Object.entries(speakers).map(([name, speaker]) => ({ name, speaker }));
const violations = ({ wire }: Speaker, requests: readonly Received[]): readonly object[] =>
  requests.flatMap(({ body, path }) => wire.violations(JSON.parse(body), { path }));

test.for(each)(
  "$name: an object after a call of a tool is given out, and the vendor accepts the requests",
  async ({ speaker }) => {
    const { outcome, requests } = await runWith(speaker, ["lookup", { text: json }], {
      tools: [lookup],
    });
    expect(outcome).toMatchObject({ status: "done", output: trip, turns: 2 });
    expect(violations(speaker, requests)).toEqual([]);
  },
);

test.for(each)(
  "$name: an object that does not fit is corrected, and the vendor accepts the note",
  async ({ speaker }) => {
    const wrong = { text: '{"city":"Zürich","days":"three"}' };
    const { outcome, requests } = await runWith(speaker, [wrong, wrong, { text: json }]);
    expect(outcome).toMatchObject({ status: "done", output: trip, turns: 3 });
    expect(violations(speaker, requests)).toEqual([]);
    expect(requests[2]?.body).toContain("Instance type");
  },
);

/** A call is cut where its input happens to be whole: the wires write no part of an input. */
const cutsFor = ({ outputFormat }: Adapter): readonly string[] =>
  outputFormat === undefined
    ? [json]
    : Array.from({ length: json.length }, (_, end) => json.slice(0, end + 1)).filter(
        (_, at) => isFull || at % 5 === 1,
      );

test.for(each)(
  "$name: an object that is cut at any character is not given out",
  {
    timeout: 30_000,
  },
  async ({ speaker }) => {
    for (const text of cutsFor(speaker.adapter({ apiKey: "key" }))) {
      const { outcome } = await runWith(speaker, [{ text, stop: "length" }], {
        recovery: { requests: 1 },
      });
      expect(outcome).toMatchObject({ status: "truncated", turns: 1 });
      expect(outcome).not.toHaveProperty("output");
    }
  },
);

test.for(each)(
  "$name: an object that was cut is asked for again, and the vendor accepts the note",
  async ({ speaker }) => {
    const cut = cutsFor(speaker.adapter({ apiKey: "key" }))[0] ?? json;
    const script = [{ text: cut, stop: "length" }, { text: json }] as const;
    const recovery = { requests: 1, notes: 1 };
    const { outcome, requests } = await runWith(speaker, script, { recovery });
    expect(outcome).toMatchObject({ status: "done", output: trip, turns: 2 });
    expect(violations(speaker, requests)).toEqual([]);
  },
);

test.for(each)(
  "$name: a whole object whose usage reached the cap is not given out",
  async ({ speaker }) => {
    const full = { text: json, used: cap };
    const { outcome } = await runWith(speaker, [full], { recovery: { requests: 1 } });
    expect(outcome).toMatchObject({ status: "truncated" });
  },
);

const pairs = each.flatMap((one, position) => {
  const other = each[(position + 1) % each.length] ?? one;
  if (one.speaker.wire.nativeStops["content-filter"] === undefined) return [];
  return { name: `${one.name}, then ${other.name}`, first: one.speaker, second: other.speaker };
});
test.for(pairs)(
  "$name: the fallback is asked for the object in its own form",
  async ({ first, second }) => {
    const fallback = await play(second, [{ text: json }]);
    const { outcome, requests } = await runWith(first, [{ text: "{}", stop: "content-filter" }], {
      recovery: { fallback: [{ adapter: fallback.adapter }] },
    });
    expect(outcome).toMatchObject({ status: "done", output: trip, turns: 1 });
    expect(requests).toHaveLength(1);
    expect(violations(second, fallback.server.requests)).toEqual([]);
  },
);
