import { expect, test } from "vitest";
import { startLlama } from "../src/llama.ts";
import { measure } from "../src/notes/measure.ts";
import { situations, withNote } from "../src/notes/situations.ts";
import { wordings } from "../src/notes/wordings.ts";

test("each note is what the loop sends, and three other wordings are compared with it", async () => {
  for (const situation of await situations()) {
    expect(situation.note.length).toBeGreaterThan(20);
    expect(Object.keys(wordings[situation.name] ?? {})).toHaveLength(3);
    const { messages } = withNote(situation, "Go on.");
    expect(messages).toHaveLength(situation.request.messages.length);
    expect(messages.at(-1)).toEqual({ role: "user", content: "Go on." });
  }
});

test("replies of a server are counted, with the model that is made here", async ({ skip }) => {
  const server = await startLlama(1).catch((thrown: unknown) => {
    if (thrown instanceof Error && thrown.name === "MissingServerError") skip(thrown.message);
    throw thrown;
  });
  try {
    const rows = (await measure(server.url, 1)).split("\n").slice(2);
    expect(rows).toHaveLength(16);
    expect(rows.every((row) => /\| [01] of 1 \|$/.test(row))).toBe(true);
  } finally {
    await server.stop();
  }
});
