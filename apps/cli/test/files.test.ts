import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "@fullstop/conformance/server";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { run } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filesIn, fileTools } from "../src/demo/files.ts";
import type { Input } from "../src/demo/script.ts";

let around: string;
let folder: string;
beforeEach(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "jail-")));
  folder = join(around, "inside");
  mkdirSync(join(folder, "sub"), { recursive: true });
  writeFileSync(join(folder, "a.txt"), "one two one");
  writeFileSync(join(around, "secret.txt"), "secret");
  mkdirSync(join(around, "inside-too"));
  writeFileSync(join(around, "inside-too", "b.txt"), "secret");
  symlinkSync(join(around, "secret.txt"), join(folder, "link.txt"));
  symlinkSync(around, join(folder, "up"));
  symlinkSync("a.txt", join(folder, "near.txt"));
  symlinkSync(join(around, "new.txt"), join(folder, "dangling.txt"));
});
afterEach(() => rmSync(around, { recursive: true, force: true }));

/** What the model is told of these calls: they come over a socket and through the gate and the loop. */
async function told(
  inputs: readonly Input[],
): Promise<readonly { readonly content: unknown; readonly isError: boolean }[]> {
  const blocks = inputs.map((input, n) => ({ ...input, id: `toolu_${n}` }));
  const { url, close } = await serve((_, n) => {
    const reply =
      n === 0
        ? { blocks, stop: "tool_use", output: 9 }
        : { blocks: [{ text: "Done." }], stop: "end_turn", output: 2 };
    return {
      chunks: anthropicWire
        .frames(reply)
        .upToTerminal.map((data) => new TextEncoder().encode(`data: ${data}\n\n`)),
    };
  });
  try {
    const tools = fileTools(folder, () => {});
    const { messages } = await run({
      adapter: anthropic("claude-sonnet-5-5", { baseURL: url, apiKey: "none" }),
      tools,
      prompt: "Go.",
    }).outcome();
    return messages
      .flatMap((message) => (message.role === "tool" ? message.content : []))
      .map(({ content, isError = false }) => ({ content, isError }));
  } finally {
    await close();
  }
}
const one = async (name: string, input: Input["input"]) => (await told([{ name, input }]))[0];

describe("the file tools", () => {
  it("write, edit, read and list", async () => {
    expect(await one("write", { path: "sub/new/c.txt", content: "hello" })).toEqual({
      content: "5 characters written.",
      isError: false,
    });
    expect(await one("edit", { path: "sub/new/c.txt", find: "ell", replace: "$&" })).toMatchObject({
      isError: false,
    });
    expect(await one("read", { path: "sub/new/c.txt" })).toEqual({
      content: "h$&o",
      isError: false,
    });
    expect(await one("list", { path: "sub" })).toEqual({ content: "new/", isError: false });
    expect(await one("list", {})).toMatchObject({ content: expect.stringContaining("a.txt\n") });
  });

  it("edit only a piece that stands there once", async () => {
    expect(await one("edit", { path: "a.txt", find: "three", replace: "" })).toMatchObject({
      isError: true,
      content: expect.stringContaining("is not in"),
    });
    expect(await one("edit", { path: "a.txt", find: "one", replace: "" })).toMatchObject({
      isError: true,
      content: expect.stringContaining("2 times"),
    });
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one two one");
  });

  it("keep edits of one reply to the same file apart", async () => {
    const letters = [..."abcdefgh"];
    writeFileSync(join(folder, "many.txt"), letters.join(" "));
    await told(
      letters.map((letter) => ({
        name: "edit",
        input: { path: "many.txt", find: letter, replace: letter.toUpperCase() },
      })),
    );
    expect(readFileSync(join(folder, "many.txt"), "utf8")).toBe(letters.join(" ").toUpperCase());
  });

  it("say everything that is in the folder, links by what they are", () => {
    expect(filesIn(folder).get("link.txt")).toBe("(no regular file)");
    expect(filesIn(folder).get("a.txt")).toBe("one two one");
  });
});

describe("the jail", () => {
  const escapes = (): readonly string[] => [
    "../secret.txt",
    "sub/../../secret.txt",
    "..",
    "../inside-too/b.txt",
    join(around, "secret.txt"),
    join(folder, "a.txt"),
    "C:\\secret.txt",
    "\\\\host\\share",
    "link.txt",
    "near.txt",
    "dangling.txt",
    "up/secret.txt",
    "up/inside/a.txt",
    "",
    "a.txt\0.png",
  ];

  it("answers every way out with an error, and touches nothing outside", async () => {
    for (const path of escapes()) {
      for (const { name, input } of [
        { name: "read", input: { path } },
        { name: "list", input: { path } },
        { name: "write", input: { path, content: "mine" } },
        { name: "edit", input: { path, find: "secret", replace: "mine" } },
      ]) {
        const result = await one(name, input);
        expect(result, `${name} ${path}`).toMatchObject({ isError: true });
        expect(result?.content, `${name} ${path}`).not.toBe("secret");
      }
    }
    expect(readFileSync(join(around, "secret.txt"), "utf8")).toBe("secret");
    expect(existsSync(join(around, "new.txt"))).toBe(false);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one two one");
  });

  it("says what is wrong with a path", async () => {
    expect(await one("read", { path: "../secret.txt" })).toMatchObject({
      content: expect.stringContaining("leads out of the folder"),
    });
    expect(await one("read", { path: "up/secret.txt" })).toMatchObject({
      content: expect.stringContaining("symbolic link"),
    });
  });
});
