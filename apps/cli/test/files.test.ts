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
import type { Input } from "../src/demo/fault.ts";
import { createFileTools, readFiles } from "../src/demo/files.ts";

let around: string;
let folder: string;
beforeEach(() => {
  around = realpathSync(mkdtempSync(join(tmpdir(), "files-")));
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

/** The results of these calls, which arrive over a socket and pass the gate and the loop. */
async function resultsOf(
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
    const tools = createFileTools(folder, () => {});
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
const resultOf = async (name: string, input: Input["input"]) =>
  (await resultsOf([{ name, input }]))[0];

describe("the file tools", () => {
  it("write, edit, read and list", async () => {
    expect(await resultOf("write", { path: "sub/new/c.txt", content: "hello" })).toEqual({
      content: "5 characters written.",
      isError: false,
    });
    expect(
      await resultOf("edit", { path: "sub/new/c.txt", find: "ell", replace: "$&" }),
    ).toMatchObject({
      isError: false,
    });
    expect(await resultOf("read", { path: "sub/new/c.txt" })).toEqual({
      content: "h$&o",
      isError: false,
    });
    expect(await resultOf("list", { path: "sub" })).toEqual({ content: "new/", isError: false });
    expect(await resultOf("list", {})).toMatchObject({
      content: expect.stringContaining("a.txt\n"),
    });
  });

  it("edit a piece only if it is there exactly once", async () => {
    expect(await resultOf("edit", { path: "a.txt", find: "three", replace: "" })).toMatchObject({
      isError: true,
      content: expect.stringContaining("is not in"),
    });
    expect(await resultOf("edit", { path: "a.txt", find: "one", replace: "" })).toMatchObject({
      isError: true,
      content: expect.stringContaining("2 times"),
    });
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one two one");
  });

  it("apply all edits of one reply to the same file", async () => {
    const letters = [..."abcdefgh"];
    writeFileSync(join(folder, "many.txt"), letters.join(" "));
    await resultsOf(
      letters.map((letter) => ({
        name: "edit",
        input: { path: "many.txt", find: letter, replace: letter.toUpperCase() },
      })),
    );
    expect(readFileSync(join(folder, "many.txt"), "utf8")).toBe(letters.join(" ").toUpperCase());
  });

  it("list every file in the folder, and do not read links", () => {
    expect(readFiles(folder).get("link.txt")).toBe("(not a regular file)");
    expect(readFiles(folder).get("a.txt")).toBe("one two one");
  });
});

describe("a path that leads out of the folder", () => {
  const badPaths = (): readonly string[] => [
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

  it("is an error, and nothing outside changes", async () => {
    for (const path of badPaths()) {
      for (const { name, input } of [
        { name: "read", input: { path } },
        { name: "list", input: { path } },
        { name: "write", input: { path, content: "mine" } },
        { name: "edit", input: { path, find: "secret", replace: "mine" } },
      ]) {
        const result = await resultOf(name, input);
        expect(result, `${name} ${path}`).toMatchObject({ isError: true });
        expect(result?.content, `${name} ${path}`).not.toBe("secret");
      }
    }
    expect(readFileSync(join(around, "secret.txt"), "utf8")).toBe("secret");
    expect(existsSync(join(around, "new.txt"))).toBe(false);
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one two one");
  });

  it("is named with what is wrong", async () => {
    expect(await resultOf("read", { path: "../secret.txt" })).toMatchObject({
      content: expect.stringContaining("leads out of the folder"),
    });
    expect(await resultOf("read", { path: "up/secret.txt" })).toMatchObject({
      content: expect.stringContaining("symbolic link"),
    });
  });
});
