import { run } from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test, vi } from "vitest";
import { recorder } from "./tools.ts";

test("a runtime without `Promise.withResolvers` (Node 20) runs tools, and waits for the first event, like any other", async () => {
  vi.spyOn(Promise, "withResolvers").mockImplementation(() => {
    throw new TypeError("Promise.withResolvers is not a function");
  });
  const look = recorder("look");
  const adapter = mock([{ calls: [{ name: "look", input: {} }] }, "Done."]);
  expect(
    await run({ adapter, tools: [look], prompt: "Go.", limits: { firstEventMs: 60_000 } }).text(),
  ).toBe("Done.");
  expect(look.ran).toHaveLength(1);
});
