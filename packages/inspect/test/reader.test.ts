import { mock } from "@fullstop/provider-mock";
import { isFull } from "@tooling/test/full";
import { cutStep } from "@tooling/test/sample";
import { expect, test } from "vitest";
import {
  createRecordingReader,
  readRecording,
  toFixture,
  viewRecording,
} from "../src/view/index.ts";
import { recorded } from "./recorded.ts";
import { toolNamed } from "./recorded-tools.ts";

const record = () =>
  recorded({
    adapter: mock([
      { text: "I look. 🧊", calls: [{ name: "look", id: "call_1", input: { at: "sea" } }] },
      "Done.",
    ]),
    tools: [toolNamed("look")],
  });

test("a recording that ends anywhere is read up to there", async () => {
  const { text, recording } = await record();
  const headLength = text.indexOf("\n") + 1;
  for (let length = headLength; length < text.length; length += cutStep) {
    const { events, flaws } = readRecording(text.slice(0, length));
    expect(events).toEqual(recording.events.slice(0, events.length));
    const cut = text.slice(0, length).split("\n").at(-1) ?? "";
    const isWhole = text[length] === "\n";
    expect(flaws).toHaveLength(cut === "" || isWhole ? 0 : 1);
    viewRecording({ ...recording, events, flaws });
  }
});

test("a reader that gets the file in parts reads the same", async () => {
  const { text, recording } = await record();
  for (const size of [1, 7, 100, 4096]) {
    const reader = createRecordingReader();
    const events = [];
    for (let at = 0; at < text.length; at += size)
      events.push(...reader.push(text.slice(at, at + size)));
    events.push(...reader.end());
    expect(events).toEqual(recording.events);
    expect(reader.head).toEqual(recording.head);
    expect(reader.flaws).toEqual([]);
  }
});

test("a damaged line is a flaw, and what refers to it is left out", async () => {
  const { text } = await record();
  const lines = text.split("\n");
  for (let index = 1; index < lines.length - 1; index++) {
    const damaged = lines.map((line, at) => (at === index ? line.slice(0, -3) : line)).join("\n");
    const recording = readRecording(damaged);
    expect(recording.flaws[0]).toBe(`Line ${index + 1} was cut, or is damaged. It is left out.`);
    const view = viewRecording(recording);
    expect(view.flaws).toEqual(recording.flaws);
    expect(view.runs.length).toBeGreaterThan(0);
  }
});

const strange: readonly unknown[] = [null, 0, "x", [], {}, { after: 0 }, { after: 9, more: [1] }];
/** The lines with one member of one line, at any depth, that has another value. */
function withMember(lines: readonly string[], at: number, member: number, value: unknown): string {
  let left = member;
  const change = (_: string, old: unknown): unknown => (left-- === 0 ? value : old);
  const changed = JSON.stringify(JSON.parse(lines[at] ?? "{}"), change);
  return lines.map((line, index) => (index === at ? changed : line)).join("\n");
}

test("a member that has any other value is a flaw at most", async () => {
  const lines = (await record()).text.trimEnd().split("\n");
  for (let at = 1; at < lines.length; at++)
    for (let member = 1; member < 60; member += isFull ? 1 : 5)
      for (const value of strange) {
        const { runs, flaws } = viewRecording(readRecording(withMember(lines, at, member, value)));
        expect([...runs, ...flaws]).not.toEqual([]);
      }
});

test("an event of a later release is kept, and named once", async () => {
  const { text } = await record();
  const [head = "", ...rest] = text.split("\n");
  const strange = JSON.stringify({ type: "weather", at: 1, sky: "blue" });
  const { events, flaws } = readRecording(
    [head, rest[0], strange, strange, ...rest.slice(1)].join("\n"),
  );
  expect(events.filter(({ type }) => (type as string) === "weather")).toHaveLength(2);
  expect(flaws.filter((flaw) => flaw.includes('"weather"'))).toHaveLength(1);
  expect(viewRecording(readRecording(text)).runs).toHaveLength(1);
});

test("an event that is damaged becomes a flaw of the view", () => {
  const head = JSON.stringify({ recording: "fullstop", version: 1, startedAt: 0 });
  const position = { at: 1, runId: "a", path: [], turnNumber: 1 };
  const lines = [
    { type: "turn", ...position },
    { type: "end", ...position },
  ];
  const text = [head, ...lines.map((line) => JSON.stringify(line))].join("\n");
  expect(viewRecording(readRecording(text)).flaws).toEqual([
    'An event of the type "turn" is damaged, and is not shown completely.',
    'An event of the type "end" is damaged, and is not shown completely.',
  ]);
});

test.each([
  ["", "empty", "The file is empty."],
  ["\n", "empty", "The file is empty."],
  ["{}\n", "not-a-recording", "its first line is not the head"],
  ["Buy milk.", "not-a-recording", "its first line is not the head"],
  ['{"journal":"fullstop","version":1}\n', "not-a-recording", "The file is a journal"],
  ['{"recording":"fullstop","version":2}\n', "newer-version", "Install a newer release."],
])("%j is refused with a sentence", (text, kind, sentence) => {
  expect(() => readRecording(text)).toThrow(expect.objectContaining({ kind }));
  expect(() => readRecording(text)).toThrow(sentence);
});

test.each<[string, (given: never) => unknown, string]>([
  ["viewRecording", viewRecording, "a recording: `readRecording(text)`"],
  ["toFixture", toFixture, "a reply of a recording, from its view"],
])("%s says what to pass if it gets nothing, or something else", (name, call, what) => {
  for (const given of [undefined, null, "{}", {}])
    expect(() => call(given as never)).toThrow(`\`${name}\` needs ${what}.`);
});
