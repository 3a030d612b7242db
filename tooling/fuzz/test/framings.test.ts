import { expect, test } from "vitest";
import type { Frame, Layout } from "../src/bytes.ts";
import { lines } from "../src/framings/lines.ts";
import { messages, unmodeledError } from "../src/framings/messages.ts";

const layout: Layout = {
  newline: "\n",
  tight: false,
  names: false,
  comments: false,
  dataComments: false,
  open: false,
  chunks: [7],
};
const layouts: readonly Layout[] = [
  layout,
  { ...layout, tight: true, names: true, comments: true, newline: "\r\n", open: true },
];
const frames: readonly Frame[] = [
  { name: "messageStart", data: '{"role":"assistant"}' },
  { name: "throttlingException", data: '{"message":"Slow é😀."}' },
  { name: unmodeledError, data: '{":error-code":"InternalError",":error-message":"No."}' },
];

test.each(layouts)("messages are read as they were written: %j", (style) => {
  expect(messages.parse(messages.encode(frames, style), false)).toEqual({
    events: [
      { messageStart: { role: "assistant" } },
      { throttlingException: { message: "Slow é😀." } },
      { [unmodeledError]: {} },
    ],
    damage: "none",
    whole: false,
    reset: false,
  });
});

test("each changed byte and each cut of a message is detected", () => {
  const bytes = Buffer.from(messages.encode(frames.slice(0, 1), layout));
  for (let at = 0; at < bytes.length; at++) {
    const changed = Uint8Array.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(messages.parse(changed, false).damage).toBe("before");
    expect(messages.parse(bytes.subarray(0, at), false).damage).toBe(at === 0 ? "none" : "last");
    expect(messages.parse(bytes.subarray(0, at), true)).toMatchObject({ events: [], reset: true });
  }
});

test.each(layouts)("lines are read as they were written: %j", (style) => {
  const written = [{ data: '{"a":1}' }, { data: '{"b":"\\n"}' }];
  const bytes = lines.encode(written, style);
  expect(lines.parse(bytes, false).events).toEqual([{ a: 1 }, { b: "\n" }]);
  const cut = lines.parse(bytes.subarray(0, bytes.length - 4), false);
  expect([cut.events, cut.damage]).toEqual([[{ a: 1 }], "last"]);
});

test("a body over several lines is one event", () => {
  const spread = (value: object): Uint8Array =>
    new TextEncoder().encode(JSON.stringify(value, null, 1));
  expect(lines.parse(spread({ a: [1], done: true }), false).events).toEqual([
    { a: [1], done: true },
  ]);
  expect(lines.parse(spread({ a: 1 }).subarray(0, 8), false).damage).toBe("last");
});
