import type { RunEvent } from "@fullstop/loop";
import { describe, expect, test } from "vitest";
import type { RecordedEvent } from "../src/view/index.ts";
import { startProvider, wireNames } from "./provider.ts";
import { recorded } from "./recorded.ts";
import { toolNamed } from "./recorded-tools.ts";

/** The events as JSON, without what a recording leaves out; pieces of one text are joined. */
function comparable(events: readonly (RunEvent | RecordedEvent)[]): readonly unknown[] {
  const joined: Record<string, unknown>[] = [];
  for (const event of events) {
    if (event.type === "output") continue;
    const next = JSON.parse(JSON.stringify(event));
    const last = joined.at(-1);
    const continues =
      "text" in next &&
      next.type === last?.["type"] &&
      next.key === last?.["key"] &&
      next.type !== "tool-input-end";
    if (continues && last !== undefined) last["text"] = `${last["text"]}${next.text}`;
    else joined.push(next);
  }
  return joined.map(({ at: _at, ...rest }) => rest);
}

describe.each(wireNames)("a recording of %s", (name) => {
  test("reads as the events that the run reported", async () => {
    const { adapter } = await startProvider(name, [
      { blocks: [{ text: "I look." }, { name: "look", id: "call_1", input: { at: "the sea" } }] },
      {
        blocks: [{ name: "look", id: "call_2", input: { at: "land" } }],
        stop: "length",
        output: 64,
      },
    ]);
    const { events, recording } = await recorded({
      adapter,
      request: { maxTokens: 64 },
      system: "Be brief.",
      tools: [toolNamed("look")],
    });
    expect(recording.flaws).toEqual([]);
    expect(comparable(recording.events)).toEqual(comparable(events));
    expect(new Set(events.map(({ type }) => type))).toContain("recovery");
  });
});
