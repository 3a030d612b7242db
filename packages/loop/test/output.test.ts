import {
  type RunOptions,
  run,
  type Tool,
  type ToolOutput,
  type ToolResultBlock,
} from "@fullstop/loop";
import { mock } from "@fullstop/provider-mock";
import { expect, test } from "vitest";
import { memoryJournal } from "./memory.ts";
import { recorder, runWatched } from "./tools.ts";

const png = "iVBORw0KGgo=";
const image = { type: "image", mediaType: "image/png", data: png } as const;
const file = { type: "file", mediaType: "application/pdf", data: png, name: "a.pdf" } as const;
const linked = { type: "image", url: "https://img.example/cat.png" } as const;
const stored = { type: "file", fileId: "file_1", provider: "mock", name: "a.pdf" } as const;
const look = (output: unknown): Tool<Record<string, unknown>> =>
  recorder("look", () => output as ToolOutput);

/** The result of one call, as the model gets it. */
async function resultOf(
  tool: Tool,
  options: Partial<RunOptions> = {},
): Promise<ToolResultBlock | undefined> {
  const model = mock([{ calls: [{ name: "look", input: {} }] }, "Done."]);
  await runWatched({ adapter: model, tools: [tool], prompt: "Go.", ...options });
  const last = model.requests[1]?.messages.at(-1);
  return last?.role === "tool" ? last.content[0] : undefined;
}

test("a tool that returns nothing succeeds as often as it is called", async () => {
  const saved: number[] = [];
  const save = recorder("save", ({ n }) => void saved.push(Number(n)));
  const times = Array.from({ length: 8 }, (_, n) => n);
  const model = mock([
    ...times.map((n) => ({ calls: [{ name: "save", input: { n } }] })),
    "Saved.",
  ]);
  const outcome = await run({ adapter: model, tools: [save], prompt: "Save." }).outcome();
  expect(outcome).toMatchObject({ status: "done", text: "Saved." });
  expect(saved).toEqual(times);
  expect(JSON.stringify(outcome.messages)).not.toContain("isError");
});

test.each<[string, unknown, Partial<ToolResultBlock>]>([
  ["a block", image, { content: [image] }],
  [
    "a list of blocks",
    [{ type: "text", text: "The screen:" }, image, file],
    { content: [{ type: "text", text: "The screen:" }, image, file] },
  ],
  ["blocks in a result", { content: [image] }, { content: [image] }],
  ["blocks of a failure", { content: [image], isError: true }, { content: [image], isError: true }],
  [
    "text of a failure",
    { content: "No such page.", isError: true },
    { content: "No such page.", isError: true },
  ],
  ["an image by its URL", linked, { content: [linked] }],
  ["a file by its id", stored, { content: [stored] }],
  [
    "a file by its URL and its type",
    { type: "file", url: linked.url, mediaType: "application/pdf" },
    { content: [{ type: "file", url: linked.url, mediaType: "application/pdf" }] },
  ],
  ["text of no failure", { content: "A page.", isError: false }, { content: "A page." }],
  [
    "data of a failure",
    { content: { code: 404 }, isError: true },
    { content: '{"code":404}', isError: true },
  ],
  [
    "nothing of a failure",
    { isError: true },
    { content: "look finished. It has no output.", isError: true },
  ],
])("%s is sent to the model unchanged", async (_, output, expected) => {
  const { id: _id, ...result } = (await resultOf(look(output))) as ToolResultBlock;
  expect(result).toEqual({ type: "tool-result", name: "look", ...expected });
});

test.each<[string, object]>([
  ["a field named content", { content: "text" }],
  ["more fields", { content: [image.data], isError: true, code: 1 }],
  [
    "the list of a folder",
    [
      { type: "file", name: "a.txt" },
      { type: "folder", name: "b" },
    ],
  ],
  ["a file of a repository", { type: "file", name: "a.txt", url: "https://api.example/a.txt" }],
  ["a search result", { type: "image", url: linked.url, width: 640, height: 480 }],
  ["files of a folder alone", [{ type: "file", name: "a.txt" }]],
  ["an empty list", []],
])("data that only looks like blocks stays data: %s", async (_, output) => {
  expect(await resultOf(look(output))).toMatchObject({ content: JSON.stringify(output) });
  expect(await resultOf(look(output))).not.toHaveProperty("isError");
});

test.each<[string, object, string]>([
  ["has no media type", { type: "image", data: png }, "an image block without `mediaType`"],
  [
    "names it as MCP does",
    { type: "image", data: png, mimeType: "image/png" },
    "an image block without `mediaType`",
  ],
  [
    "is a file that names it as MCP does",
    { type: "file", data: png, mimeType: "image/png" },
    "a file block without `mediaType`",
  ],
  [
    "is a data URL",
    { ...image, data: `data:image/png;base64,${png}` },
    "an image block whose `data` is a data URL: give only the base64 after the comma",
  ],
  [
    "has a data URL as its URL",
    { type: "image", url: `data:image/png;base64,${png}` },
    "an image block whose `url` is a data URL",
  ],
])(
  "a block that %s is an error result that says so, and never base64 as text",
  async (_, block, words) => {
    for (const output of [
      block,
      [{ type: "text", text: "The screen:" }, block],
      { content: [block] },
    ]) {
      const result = await resultOf(look(output));
      expect(result).toMatchObject({ isError: true, content: expect.stringContaining(words) });
      expect(result?.content).not.toContain(png);
    }
  },
);

test("only text counts for the size of a result: images stay complete, and later text gets the rest", async () => {
  const large = { ...image, data: png.repeat(100) };
  const texts = ["a".repeat(30), "b".repeat(90), "c".repeat(50)].map((text) => ({
    type: "text" as const,
    text,
  }));
  const result = await resultOf(look([texts[0], large, texts[1], texts[2]]), {
    limits: { resultChars: 50 },
  });
  const [first, second, third, fourth] = (result?.content ?? []) as unknown as { text?: string }[];
  expect([first, second]).toEqual([texts[0], large]);
  expect(third?.text).toBe(
    `${"b".repeat(10)}\n[70 of 90 characters were removed here: a result may have at most 50. Request a smaller part to see them.]\n${"b".repeat(10)}`,
  );
  expect(fourth?.text).toMatch(/^\n\[50 of 50 characters were removed here/);
});

test("blocks are journaled unchanged, and a tool cannot change its result later", async () => {
  const mine = { ...image };
  const shot = recorder("look", () => ({ content: [mine], isError: true }));
  const journal = memoryJournal();
  const options = { journal: { store: journal, runId: "r" } };
  const first = await resultOf(shot, {
    ...options,
    onEvent: ({ type }) => type === "tool-result" && Object.assign(mine, { data: "" }),
  });
  expect(first).toMatchObject({ content: [image], isError: true });
  expect(mine.data).toBe("");
  const killed = memoryJournal(journal.lines.filter(({ key }) => key !== "r/2/model"));
  const model = mock(["Done."]);
  await runWatched({
    adapter: model,
    tools: [shot],
    prompt: "Go.",
    journal: { store: killed, runId: "r" },
  });
  expect(model.requests[0]?.messages.at(-1)).toMatchObject({
    content: [{ content: [image], isError: true }],
  });
  expect(shot.ran).toHaveLength(1);
});

test("the notice about a salvaged call comes before the blocks of its result", async () => {
  const salvage = { continueWith: ["look"], input: () => ({}) };
  for (const [output, expected] of [
    [image, [{ type: "text", text: expect.stringContaining("was cut off") }, image]],
    [7, expect.stringMatching(/was cut off.*\n\n7$/s)],
    [undefined, expect.stringMatching(/was cut off.*\n\nlook finished\. It has no output\.$/s)],
  ]) {
    const cut = { calls: [{ name: "look", inputText: '{"a' }], stop: "length" as const };
    const model = mock([cut, "Done."]);
    await run({
      adapter: model,
      tools: [{ ...look(output), salvage }],
      prompt: "Go.",
      recovery: { notes: 0 },
    }).outcome();
    expect(model.requests[1]?.messages.at(-1)).toMatchObject({ content: [{ content: expected }] });
  }
});
