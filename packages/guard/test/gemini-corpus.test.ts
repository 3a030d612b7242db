import type { Fixture } from "@fullstop/conformance";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { afterAll, describe, expect, test } from "vitest";
import {
  ask,
  bodyShape,
  endOf,
  eventsOf,
  leaks,
  nextRequest,
  partsOf,
  played,
  type Shape,
  shapes,
  wholeOf,
} from "./gemini.ts";
import { type Guarded, type PlayedReply, startServer } from "./server.ts";

let reply: PlayedReply = { chunks: [] };
const server = await startServer(() => reply);
afterAll(() => server.close());

interface Replayed extends Guarded {
  readonly raw: string;
  readonly events: readonly unknown[];
}
async function replay(shape: Shape, fixture: Fixture): Promise<Replayed> {
  const events = shape === bodyShape ? [wholeOf(fixture)] : eventsOf(fixture);
  reply = played(shape, events);
  const guarded = await ask(server, shape);
  const isReply = guarded.status === 200;
  return {
    ...guarded,
    raw: shape.render(events),
    events: isReply ? shape.parse(guarded.text) : [],
  };
}

const { fixtures = [] } = geminiWire;
const namesCall = (fixture: Fixture): boolean => leaks(eventsOf(fixture).join(""));
const isBroken = ({ turn }: Fixture): boolean =>
  turn.stopReason === "interrupted" || turn.stopReason === "error";
/** A client could confuse the calls, or find one that was not granted. */
const isAmbiguous = ({ name }: Fixture): boolean =>
  ["A second candidate beside the first", "Two calls with one id"].includes(name);
const isElsewhere = ({ name }: Fixture): boolean =>
  name === "A call that is only in a second candidate";
const finished = fixtures.filter(
  (one) =>
    !isBroken(one) && !isAmbiguous(one) && (one.turn.stopReason === "tool-use" || !namesCall(one)),
);
const withheld = fixtures.filter(
  (one) => namesCall(one) && !isBroken(one) && one.turn.stopReason !== "tool-use",
);
const cases = Object.entries({ ...shapes, body: bodyShape });

test("The corpus has enough replies of each kind", () => {
  expect(finished.length).toBeGreaterThanOrEqual(38);
  expect(withheld.length).toBeGreaterThanOrEqual(10);
  expect(finished.filter(namesCall).length).toBeGreaterThanOrEqual(20);
  expect(fixtures.filter(isAmbiguous)).toHaveLength(2);
});

describe.each(cases)("Replies as %s", (_, shape) => {
  test(`${finished.length} finished replies leave byte for byte`, async () => {
    for (const fixture of finished) {
      const { text, raw, report } = await replay(shape, fixture);
      expect(text, fixture.name).toBe(raw);
      expect(report?.action, fixture.name).toBe("passed");
      expect(report?.turn.stopReason, fixture.name).toBe(fixture.turn.stopReason);
    }
  });
  test(`${withheld.length} withheld replies end natively, without a part of a call`, async () => {
    for (const fixture of withheld) {
      const { text, raw, status, report, events } = await replay(shape, fixture);
      const parts = partsOf(events);
      expect(leaks(raw), fixture.name).toBe(true);
      expect(leaks(text), fixture.name).toBe(false);
      expect(status, fixture.name).toBe(200);
      expect(report?.action, fixture.name).toBe("ended");
      expect(
        parts.filter(({ text: said }) => /nothing of (?:it|them) ran/.test(String(said))),
        fixture.name,
      ).toHaveLength(1);
      expect(endOf(events), fixture.name).toMatch(
        fixture.turn.stopReason === "pause" ? /^CONTINUATION$/ : /^MAX_TOKENS$/,
      );
      expect(geminiWire.violations(nextRequest(events)), fixture.name).toEqual([]);
    }
  });
  test("No event has an empty part beside another part", async () => {
    for (const fixture of withheld) {
      const { events } = await replay(shape, fixture);
      for (const event of events) {
        const parts = partsOf([event]);
        const empty = parts.filter((part) => JSON.stringify(part) === '{"text":""}');
        expect(empty.length === 0 || parts.length === 1, JSON.stringify(event)).toBe(true);
      }
    }
  });
  test("Broken replies with a call end with a status, and say nothing of it", async () => {
    const broken = fixtures.filter((one) => isBroken(one) && namesCall(one));
    expect(broken.length).toBeGreaterThanOrEqual(4);
    for (const fixture of broken) {
      const { status, text } = await replay(shape, fixture);
      expect(status, fixture.name).toBe(502);
      expect(leaks(text), fixture.name).toBe(false);
      expect(JSON.parse(text), fixture.name).toMatchObject({
        error: {
          code: 502,
          status: "UNAVAILABLE",
          // A call of another candidate is none of the reply.
          message: isElsewhere(fixture) ? expect.any(String) : expect.stringContaining("ran"),
        },
      });
    }
  });
  test("Ambiguous calls leave once each, with ids that differ", async () => {
    for (const fixture of fixtures.filter(isAmbiguous)) {
      const { events, report } = await replay(shape, fixture);
      const calls = partsOf(events).flatMap(({ functionCall }) => functionCall ?? []) as {
        readonly id: string;
        readonly name: string;
        readonly args: object;
      }[];
      expect(report?.action, fixture.name).toBe("rewritten");
      expect(calls.map(({ name, args }) => ({ name, input: args }))).toEqual(fixture.turn.calls);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length);
    }
  });
});
