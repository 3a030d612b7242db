import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { afterAll, expect, test } from "vitest";
import {
  ask,
  callsIn,
  clientOf,
  type Event,
  endOf,
  eventsIn,
  type Fixture,
  fixtures,
  type Item,
  json,
  leaks,
  responsesRequest,
  streamOf,
} from "./responses.ts";
import { type Guarded, type PlayedReply, startServer } from "./server.ts";

let reply: PlayedReply = { chunks: [] };
const server = await startServer(() => reply);
afterAll(() => server.close());

async function replay(fixture: Fixture): Promise<Guarded & { readonly raw: string }> {
  const raw = streamOf(fixture);
  reply = { chunks: [raw] };
  return { ...(await ask(server)), raw };
}

const isBroken = ({ turn }: Fixture): boolean =>
  turn.stopReason === "interrupted" || turn.stopReason === "error";
/** The guard knows of these only that they may ask for something. Their reply ended well. */
const hasUnknownCall = ({ name }: Fixture): boolean => name.startsWith("An unknown type of call");
const namesCall = (fixture: Fixture): boolean => leaks(streamOf(fixture));
const finished = fixtures.filter(
  (one) =>
    hasUnknownCall(one) ||
    (!isBroken(one) && (one.turn.stopReason === "tool-use" || !namesCall(one))),
);
const withheld = fixtures.filter(
  (one) => namesCall(one) && !isBroken(one) && one.turn.stopReason !== "tool-use",
);
const broken = fixtures.filter((one) => isBroken(one) && !hasUnknownCall(one));

/** One way to read them does not give exactly the granted calls. */
const ambiguous = [
  "A blank text in the event for `done` arguments",
  "Arguments that are `done`, but an item that is not",
  "A blank final input after pieces",
  "A call that the final output repeats with another `call_id`",
  "A call that is `done` twice",
  "The input of a custom tool that is `done`, but an item that is not",
  "One call that is `done` beside `done` arguments that only name their tool",
  "Two calls, the first without an index and a `call_id`",
  "Pieces without an index that name the call",
  "The complete input in one event, without pieces",
  "Every item at one output index",
  "Two calls that the final response repeats with other ids",
  "Pieces of a call that was never added",
  "A blank input in the final response",
  "A custom call that the final output lists as a function call",
  "A call whose pieces are only the beginning of its input",
  "A text and a call at one index, whose pieces are interleaved",
];
const isAmbiguous = ({ name }: Fixture): boolean => ambiguous.includes(name);
const passing = finished.filter((one) => !isAmbiguous(one));

test("The corpus has enough replies of each kind", () => {
  expect(passing.length).toBeGreaterThanOrEqual(55);
  expect(passing.filter(namesCall).length).toBeGreaterThanOrEqual(40);
  expect(withheld.length).toBeGreaterThanOrEqual(28);
  expect(broken.length).toBeGreaterThanOrEqual(15);
  expect(fixtures.filter(isAmbiguous)).toHaveLength(ambiguous.length);
});

test(`${passing.length} finished replies leave byte for byte`, async () => {
  for (const fixture of passing) {
    const { text, raw, report } = await replay(fixture);
    expect(text, fixture.name).toBe(raw);
    expect(report?.action, fixture.name).toBe("passed");
    if (!hasUnknownCall(fixture))
      expect(report?.turn.stopReason, fixture.name).toBe(fixture.turn.stopReason);
  }
});

/** The events have numbers without gaps, and each item its own place, if the host gives places. */
function checkNumbers(events: readonly Event[], name: string): void {
  const numbers = events.map(({ sequence_number: number }) => number);
  expect(numbers, name).toEqual(numbers.map((_, at) => at));
  const places = events
    .filter(({ type }) => type === "response.output_item.added")
    .map(({ output_index: index }, at) => index ?? at);
  expect(places, name).toEqual(places.map((_, at) => at));
}
test("The check of the numbers finds a gap, and a place that is used twice", () => {
  const events = eventsIn(
    streamOf(passing.find(({ name }) => name === "Parallel calls") as Fixture),
  );
  expect(() => checkNumbers(events, "")).not.toThrow();
  expect(() => checkNumbers(events.toSpliced(3, 1), "")).toThrow();
  expect(() =>
    checkNumbers(
      events.map((event) => ({ ...event, output_index: 0 })),
      "",
    ),
  ).toThrow();
});

const doneItems = (events: readonly Event[]): readonly Item[] =>
  events.flatMap(({ type, item }) =>
    type === "response.output_item.done" && item !== undefined ? [item] : [],
  );
const noteWords = /nothing of (?:it|them) ran/;
const holdsNote = (item: Item): boolean => noteWords.test(JSON.stringify(item));

test(`${withheld.length} withheld replies end natively, without a part of a call`, async () => {
  for (const fixture of withheld) {
    const { name, turn } = fixture;
    const { text, raw, status, report } = await replay(fixture);
    const events = eventsIn(text);
    const { output = [], ...response } = endOf(text)?.response ?? {};
    expect(leaks(raw), name).toBe(true);
    expect(leaks(text), name).toBe(false);
    expect([status, report?.action], name).toEqual([200, "ended"]);
    expect(doneItems(events).filter(holdsNote), name).toHaveLength(1);
    expect(response["usage"], name).toEqual(endOf(raw)?.response?.["usage"]);
    if (["length", "malformed-tool-call"].includes(turn.stopReason))
      expect([endOf(text)?.type, response.status, response["incomplete_details"]], name).toEqual([
        "response.incomplete",
        "incomplete",
        { reason: expect.stringMatching(/^max_/) },
      ]);
    else expect(endOf(text)?.type, name).toBe(endOf(raw)?.type);
    expect(endOf(text)?.type, name).toBe(`response.${response.status}`);
    expect(output, name).toEqual(doneItems(events));
    checkNumbers(events, name);
  }
});

test("The vendor's SDK reads each withheld reply, and its message is valid to send back", async () => {
  for (const fixture of withheld) {
    if (fixture.turn.stopReason === "context-window") continue;
    reply = { chunks: [streamOf(fixture)] };
    const stream = clientOf(server).responses.stream(responsesRequest);
    const { output, output_text: text } = await stream.finalResponse();
    expect(text, fixture.name).toMatch(noteWords);
    const next = {
      ...responsesRequest,
      stream: true,
      input: [...responsesRequest.input, ...output, { role: "user", content: "Go on." }],
    };
    expect(openaiResponsesWire.violations(next), fixture.name).toEqual([]);
  }
});

test(`${broken.length} broken replies end with a status or an error, and hold no part of a call`, async () => {
  for (const fixture of broken) {
    const { text, status, isBroken: isCutOff, report } = await replay(fixture);
    expect(leaks(text), fixture.name).toBe(false);
    expect(report?.action, fixture.name).toBe("failed");
    if (status !== 200) {
      expect(JSON.parse(text), fixture.name).toMatchObject({
        error: { message: expect.any(String), type: expect.any(String) },
      });
      continue;
    }
    const last = eventsIn(text).slice(-2);
    expect(
      last.map(({ type }) => type),
      fixture.name,
    ).toEqual(["response.failed", "error"]);
    expect(isCutOff, fixture.name).toBe(true);
    checkNumbers(eventsIn(text), fixture.name);
  }
});

test(`${ambiguous.length} ambiguous replies leave with each call once`, async () => {
  for (const fixture of fixtures.filter(isAmbiguous)) {
    const { text, report } = await replay(fixture);
    const events = eventsIn(text);
    const calls = callsIn(doneItems(events));
    const read = calls.map(({ name, arguments: args, input }) => ({
      name,
      input: args === undefined ? { input } : JSON.parse(String(args)),
    }));
    expect(report?.action, fixture.name).toBe("rewritten");
    expect(report?.turn.calls.map(({ name, input }) => ({ name, input }))).toEqual(
      fixture.turn.calls,
    );
    expect(read.map(({ name }) => name)).toEqual(fixture.turn.calls.map(({ name }) => name));
    expect(callsIn(endOf(text)?.response?.output), fixture.name).toEqual(calls);
    checkNumbers(events, fixture.name);
  }
});

test("A second look at a rewritten reply finds nothing to rewrite", async () => {
  for (const fixture of fixtures.filter(isAmbiguous)) {
    const { text } = await replay(fixture);
    reply = { chunks: [text] };
    const again = await ask(server, { normalizeCalls: true });
    expect(again.text, fixture.name).toBe(text);
  }
});

/** Asks for the response at the end of a fixture as a body. */
async function replayBody(fixture: Fixture): Promise<Guarded & { readonly raw: string }> {
  const raw = JSON.stringify(endOf(streamOf(fixture))?.response);
  reply = json(JSON.parse(raw));
  return { ...(await ask(server, { body: responsesRequest })), raw };
}
const bodies = fixtures.filter((one) => endOf(streamOf(one))?.response?.output !== undefined);

test(`${bodies.length} replies as JSON bodies hold the granted calls, or none`, async () => {
  const actions = new Map<string, number>();
  for (const fixture of bodies) {
    const { text, raw, status, report } = await replayBody(fixture);
    const { action = "", turn } = report ?? {};
    const calls = callsIn(status === 200 ? JSON.parse(text).output : []);
    if (action === "passed") expect(text, fixture.name).toBe(raw);
    if (!fixture.name.startsWith("An unknown"))
      expect(calls, fixture.name).toHaveLength(turn?.calls.length ?? 0);
    actions.set(action, (actions.get(action) ?? 0) + 1);
  }
  expect(actions.get("passed")).toBeGreaterThanOrEqual(55);
  expect(actions.get("ended")).toBeGreaterThanOrEqual(25);
});

test("Withheld calls of a JSON body leave a note and an ending", async () => {
  for (const fixture of withheld) {
    const { text, report } = await replayBody(fixture);
    if (report?.turn.stopReason !== "length") continue;
    expect(JSON.parse(text), fixture.name).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: expect.stringMatching(/^max_/) },
      output: expect.arrayContaining([expect.objectContaining({ type: "message" })]),
    });
    expect(text, fixture.name).toMatch(noteWords);
  }
});
