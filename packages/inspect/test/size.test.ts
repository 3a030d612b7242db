import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { viewRecording } from "../src/view/index.ts";
import { startProvider } from "./provider.ts";
import { recorded } from "./recorded.ts";
import { toolNamed } from "./recorded-tools.ts";

test("a reply in pieces of 16 bytes is recorded in less than three times its bytes", async () => {
  const input = { content: "abcdefgh".repeat(2048) };
  const { adapter, sent } = await startProvider("anthropic", [
    { blocks: [{ name: "write", id: "call_1", input }], pieceLength: 16 },
  ]);
  const { text, recording } = await recorded({ adapter, tools: [toolNamed("write")] });
  expect(sent().length).toBeGreaterThan(100_000);
  expect(text.length / sent().length).toBeLessThan(3);
  expect(viewRecording(recording).runs[0]?.turns[0]?.calls[0]?.input).toEqual(input);
});

/** The size of the recording of a run with so many turns, each with a prompt that is longer. */
async function sizeOf(turns: number): Promise<number> {
  const look = (_: unknown, at: number) => ({
    text: "I look. ".repeat(20),
    calls: [{ name: "look", id: `call_${at}`, input: { at, content: "x".repeat(200) } }],
  });
  let count = 0;
  const { text, outcome } = await recorded({
    adapter: mock([...Array.from({ length: turns - 1 }, look), "Done."]),
    system: "Be brief. ".repeat(100),
    tools: [toolNamed("look", () => `${count++}`.padStart(300, "y"))],
    limits: { turns: 1000 },
  });
  expect(outcome.turns).toBe(turns);
  return text.length;
}

test("a run of many turns is recorded linearly, although each request has the whole history", async () => {
  const few = await sizeOf(40);
  const many = await sizeOf(160);
  expect(many / few).toBeLessThan(4.2);
});

test("an input of 2 MiB is shown, and not repaired", async () => {
  const input = { content: "<script>".repeat(256 * 1024) };
  const calls = [{ name: "write", id: "call_1", input }];
  const { recording } = await recorded({
    adapter: mock([{ calls, stop: "length" }, "Done."]),
    tools: [toolNamed("write")],
  });
  const [held] = viewRecording(recording).runs[0]?.turns[0]?.replies[0]?.inputs ?? [];
  expect(held).toMatchObject({ verdict: "withheld" });
  expect(held?.bytes).toBeGreaterThan(2 * 1024 * 1024);
  expect(held).not.toHaveProperty("repaired", expect.anything());
});
