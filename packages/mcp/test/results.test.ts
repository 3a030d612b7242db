import { expect, test } from "vitest";
import { mcpTools } from "../src/index.ts";
import { callOnce, runTools } from "./run-tools.ts";
import { rawServer } from "./servers.ts";

const object = { type: "object" as const };
const outputSchema = {
  ...object,
  properties: { celsius: { type: "number" } },
  required: ["celsius"],
};

/** What the model gets for this result of a server. */
async function resultOf(result: object, schema?: object): Promise<object | undefined> {
  const tools = [
    { name: "get", inputSchema: object, ...(schema && { outputSchema: schema as typeof object }) },
  ];
  const mcp = await mcpTools([{ name: "any", transport: rawServer(tools, () => result) }]);
  const { results } = await runTools(mcp, callOnce("any__get"));
  await mcp.close();
  const { content, isError } = results[0]?.result ?? {};
  return { content, ...(isError && { isError }) };
}
const text = (content: string) => ({ type: "text", text: content });

test("blocks of each type", async () => {
  const { content } = (await resultOf({
    content: [
      text("Hello."),
      { type: "image", mimeType: "image/png", data: "aW1n" },
      { type: "audio", mimeType: "audio/wav", data: "d2F2" },
      { type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "A" } },
      {
        type: "resource",
        resource: { uri: "file:///b.pdf", mimeType: "application/pdf", blob: "cGRm" },
      },
      { type: "resource", resource: { uri: "file:///c.png", mimeType: "image/png", blob: "cG5n" } },
      { type: "resource_link", uri: "file:///d.txt", name: "d", description: "The fourth." },
    ],
  })) as { content: unknown };
  expect(content).toEqual([
    text("Hello."),
    { type: "image", mediaType: "image/png", data: "aW1n" },
    { type: "file", mediaType: "audio/wav", data: "d2F2", name: "audio.wav" },
    text("Resource file:///a.txt:\nA"),
    { type: "file", mediaType: "application/pdf", data: "cGRm", name: "b.pdf" },
    { type: "image", mediaType: "image/png", data: "cG5n" },
    text("Link to the resource d: file:///d.txt\nThe fourth."),
  ]);
});

test("structured content is checked, and given as text unless the text has it", async () => {
  const structuredContent = { celsius: 21 };
  expect(await resultOf({ content: [], structuredContent }, outputSchema)).toEqual({
    content: [text('{"celsius":21}')],
  });
  expect(
    await resultOf({ content: [text('{ "celsius": 21 }')], structuredContent }, outputSchema),
  ).toEqual({ content: [text('{ "celsius": 21 }')] });
  const file = { content: [text("line 1\n")], structuredContent: { content: "line 1\n" } };
  expect(await resultOf(file)).toEqual({ content: [text("line 1\n")] });
  expect(await resultOf({ content: [text("Warm.")], structuredContent })).toEqual({
    content: [text("Warm."), text('{"celsius":21}')],
  });
});

test("structured content that does not match, or is missing, is an error that says the tool ran", async () => {
  const warm = { structuredContent: { celsius: "warm" }, content: [text("21")] };
  for (const result of [warm, { content: [text("21")] }]) {
    const given = await resultOf(result, outputSchema);
    expect(given).toMatchObject({ isError: true });
    expect(given).toMatchObject({
      content: expect.stringContaining("any__get ran, but its output"),
    });
  }
  expect(await resultOf({ isError: true, content: [text("Down.")] }, outputSchema)).toEqual({
    isError: true,
    content: [text("Down.")],
  });
});

test("an output that cannot be read is an error that says the tool ran", async () => {
  let nested: unknown = 1;
  for (let depth = 0; depth < 20_000; depth += 1) nested = [nested];
  expect(await resultOf({ content: [], structuredContent: { nested } })).toMatchObject({
    isError: true,
    content: expect.stringMatching(/^any__get ran, but its output is left out: it cannot be read/),
  });
});

test("an empty result is a sentence", async () => {
  expect(await resultOf({ content: [] })).toEqual({
    content: "any__get finished. It has no output.",
  });
});
