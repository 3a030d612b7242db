import { createGate, type Turn } from "@fullstop/core";
import { openai } from "@fullstop/provider-openai";
import {
  added,
  call,
  callEvents,
  created,
  done,
  type Event,
  ended,
  type Item,
  message,
  response,
} from "@tooling/test/openai-responses";
import { describe, expect, test, vi } from "vitest";

const adapter = openai("gpt-5.5");
const read = (...events: readonly Event[]): Turn => {
  const gate = createGate(adapter, { maxTokens: 1000 });
  for (const event of [created, ...events]) gate.push(event);
  return gate.end();
};
const final = (...output: readonly Item[]): Event => ended("completed", { output });
const outline = ({ stopReason, calls }: Turn): unknown => [
  stopReason,
  ...calls.map(({ id, input }) => [id, input]),
];

const one = call("read", '{"path":"a"}', { id: "fc_1", call_id: "call_1" });
const again = { ...one, id: "fc_2", call_id: "call_2" };
const other = { ...again, arguments: '{"path":"b"}' };
const ranOnce = ["tool-use", ["call_1", { path: "a" }]];
const ranBoth = [...ranOnce, ["call_2", { path: "a" }]];

describe("a call under two ids is one call, under the id of the stream", () => {
  test.for<[string, readonly Event[]]>([
    ["in the final output", [...callEvents(0, one), final(again)]],
    [
      "in the final output, written with other white space",
      [...callEvents(0, one), final({ ...again, arguments: '{ "path": "a" }' })],
    ],
    [
      "in the final output, without an index",
      [{ ...done(0, one), output_index: null }, final(again)],
    ],
    ["in a second item at the same index", [done(0, one), done(0, again), final()]],
    ["there, and the output lists the first", [done(0, one), done(0, again), final(one)]],
    ["there, and the output lists the second", [done(0, one), done(0, again), final(again)]],
    ["between its beginning and its end", [added(0, one), done(0, again), final(again)]],
    [
      "that began, if the final output says the rest",
      [added(0, { ...one, arguments: "", status: "in_progress" }), final(again)],
    ],
  ])("%s", ([, events]) => {
    expect(outline(read(...events))).toEqual(ranOnce);
  });

  /** So many calls, each with an input of its own. */
  const numbered = (count: number, id: string, input: string): readonly Item[] =>
    Array.from({ length: count }, (_, at) =>
      call("read", `{"path":"${input}${at}"}`, { id: `${id}_${at}`, call_id: `call_${id}_${at}` }),
    );
  test.for([40, 500])("however far the final output moves them: %s places", (places) => {
    const count = 2 * places;
    const items = numbered(count, "a", "same");
    const again = numbered(count, "b", "same");
    const moved = [...again.slice(places), ...again.slice(0, places)];
    const turn = read(...items.map((item, at) => done(at, item)), final(...moved));
    expect(turn.stopReason).toBe("tool-use");
    expect(turn.calls.map(({ id }) => id)).toEqual(items.map(({ call_id }) => call_id));
  });

  /** How often JSON is parsed if the final output gives so many calls new ids, after as many others. */
  const parsesOf = (count: number): number => {
    const events = numbered(count, "a", "same").map((item, at) => done(at, item));
    const parse = vi.spyOn(JSON, "parse");
    const output = [...numbered(count, "b", "new"), ...numbered(count, "c", "same")];
    const { calls } = read(...events, final(...output));
    const parses = parse.mock.calls.length;
    parse.mockRestore();
    expect(calls).toHaveLength(2 * count);
    return parses;
  };
  test("twice as many calls are twice the work", () => {
    expect(parsesOf(400) / parsesOf(200)).toBeLessThan(2.2);
  });

  test("the call that began takes no input that another call has", () => {
    const began = added(0, { ...one, arguments: "", status: "in_progress" });
    const known = call("read", '{"path":"b"}', { id: "fc_2", call_id: "call_2" });
    const turn = read(
      began,
      done(1, known),
      final({ ...known, id: "fc_3", call_id: "call_3" }, { ...one, id: "fc_4", call_id: "call_4" }),
    );
    expect(outline(turn)).toEqual([...ranOnce, ["call_2", { path: "b" }]]);
  });

  test("two of them keep their order", () => {
    const b = call("read", '{"path":"b"}', { id: "fc_3", call_id: "call_3" });
    const turn = read(done(0, one), done(1, b), final(again, { ...b, call_id: "call_4" }));
    expect(outline(turn)).toEqual([...ranOnce, ["call_3", { path: "b" }]]);
  });

  test("a computer call, too", () => {
    const click = { type: "computer_call", id: "cu_1", call_id: "call_1", status: "completed" };
    const item = { ...click, action: { type: "screenshot" }, pending_safety_checks: [] };
    const turn = read(done(0, item), final({ ...item, id: "cu_2", call_id: "call_2" }));
    expect(turn.calls.map(({ id }) => id)).toEqual(["call_1"]);
  });
});

describe("two calls of one input stay two", () => {
  test.for<[string, readonly Event[]]>([
    ["at two indices", [done(0, one), done(1, again), final(one, again)]],
    ["without indices", [added(0, one), done(0, one), done(1, again), final()]],
    [
      "at one index, if the final output lists both",
      [done(0, one), done(0, again), final(one, again)],
    ],
    ["if only the final output has the second", [done(0, one), final(one, again)]],
  ])("%s", ([, events]) => {
    expect(outline(read(...events))).toEqual(ranBoth);
  });
});

describe("lists that differ withhold all calls", () => {
  const otherId = { id: "resp_2" };
  test.for<[string, readonly Event[], string]>([
    ["another input under another id", [done(0, one), final(other)], 'lacks the call of "read"'],
    [
      "another tool under another id",
      [done(0, one), final({ ...again, name: "list" })],
      'lacks the call of "read"',
    ],
    [
      "a call that the final output does not list",
      [done(0, one), done(1, other), final(one)],
      "lacks",
    ],
    [
      "an end of another response with a text",
      [done(0, one), ended("completed", { ...otherId, output: [message("Hi.")] })],
      "is of another response, and lacks",
    ],
  ])("%s", ([, events, sentence]) => {
    const turn = read(...events);
    expect(turn).toMatchObject({
      stopReason: "interrupted",
      calls: [],
      error: { kind: "malformed-reply" },
    });
    expect("error" in turn && turn.error.message).toContain(sentence);
  });
});

describe("a gateway that changes the response id of one event loses nothing", () => {
  test.for<[string, readonly Item[]]>([
    ["with the whole output", [one]],
    ["without an output", []],
  ])("%s", ([, output]) => {
    const end = {
      type: "response.completed",
      response: response("completed", { output, id: "x" }),
    };
    expect(outline(read(done(0, one), end))).toEqual(ranOnce);
  });
});
