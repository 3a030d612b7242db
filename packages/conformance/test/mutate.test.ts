import { expect, test } from "vitest";
import { crlfStyle } from "../src/framing/sse.ts";
import { render } from "../src/harness/bytes.ts";
import { addUnknownFields, replaceInput } from "../src/harness/mutate.ts";
import { anthropicWire as wire } from "../src/wires/anthropic/index.ts";

const call = { name: "read", id: "toolu_1", input: { path: "/srv/notes.txt" } };
const frames = wire.frames({ blocks: [{ text: "Hm." }, call], stop: "tool_use", output: 3 });
const joined = (payloads: readonly string[]): string =>
  payloads.map((payload) => JSON.parse(payload).delta?.partial_json ?? "").join("");

test("an input in several deltas is rewritten in each delta", () => {
  const rewritten = replaceInput(
    frames,
    JSON.stringify(call.input),
    '{"path":"/elsewhere/in/a/longer/place"',
  );
  expect(joined(rewritten?.upToTerminal ?? [])).toBe('{"path":"/elsewhere/in/a/longer/place"');
  expect(rewritten?.upToTerminal).toHaveLength(frames.upToTerminal.length);
});

test("an input that the frames do not contain is not found", () => {
  expect(replaceInput(frames, '{"path":"/srv"}', "{}")).toBeUndefined();
});

test("unknown fields are added to the existing ones", () => {
  const [start] = addUnknownFields(frames).upToTerminal;
  expect(JSON.parse(start ?? "")).toMatchObject({
    type: "message_start",
    x_unknown: {},
    message: { role: "assistant", x_unknown: {} },
  });
});

test("the terminal is complete with the last byte of its data", () => {
  for (const style of [undefined, crlfStyle]) {
    const { bytes, completeLength: whole } = render(wire, frames, style);
    expect(new TextDecoder().decode(bytes.subarray(0, whole))).toMatch(
      /data: \{"type":"message_stop"\}$/,
    );
  }
});
