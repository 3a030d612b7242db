import type { FileBlock, ImageBlock } from "@fullstop/core";
import { describe, expect, test } from "vitest";
import { type ReplyContent, startConversation } from "./conversation.ts";
import { speakers } from "./speakers.ts";

const url = "https://files.example/cat.png?signature=s3cret";
const linked: ImageBlock = { type: "image", url };
const uploaded = (provider: string): FileBlock => ({
  type: "file",
  fileId: `upload-of-${provider}`,
  provider,
  mediaType: "application/pdf",
});
/** What each provider loads by itself. Bedrock loads from S3 only, Copilot and Ollama nothing, Kimi no file. */
const loads: Readonly<Record<string, readonly (ImageBlock | FileBlock)[]>> = {
  anthropic: [linked, uploaded("anthropic")],
  openai: [linked, uploaded("openai")],
  "openai-chat": [linked, uploaded("openai")],
  google: [linked, uploaded("google")],
  "google-interactions": [linked, uploaded("google")],
  mistral: [linked, uploaded("mistral")],
  kimi: [],
  bedrock: [],
  ollama: [],
  copilot: [],
};
const textOf = (text: string): ReplyContent => ({ blocks: [{ text }], stop: "stop" });

const pairs = Object.entries(speakers).flatMap(([first, a]) =>
  Object.entries(speakers).map(([second, b]) => ({ first, second, a, b })),
);

/** The name under which a block appears in a request. */
const nameOf = (block: ImageBlock | FileBlock): string => String(block.url ?? block.fileId);
const namesOf = (speaker: string): readonly string[] => (loads[speaker] ?? []).map(nameOf);
const sentence = /The (image|file) [^\]]* is left out here: [^\]]+\.\]/g;

describe("images and files that one provider loads go to another provider and back", () => {
  test.for(pairs)("$first and $second", async ({ first, second, a, b }) => {
    const names = namesOf(first);
    const unknown = names.filter((name) => !namesOf(second).includes(name));
    const talk = startConversation();
    talk.addUserMessage([{ type: "text", text: "What is this?" }, ...(loads[first] ?? [])]);
    await talk.ask(a, textOf("A cat."));
    expect(names.filter((name) => !talk.lastRequest().includes(name))).toEqual([]);

    talk.addUserMessage("Sure?");
    await talk.ask(b, textOf("Sure."));
    const known = names.filter((name) => !unknown.includes(name));
    expect(known.filter((name) => !talk.lastRequest().includes(name))).toEqual([]);
    expect(talk.lastRequest().match(sentence) ?? []).toHaveLength(unknown.length);
    if (unknown.includes(url)) expect(talk.lastRequest()).not.toContain("s3cret");

    talk.addUserMessage("Thank you.");
    await talk.ask(a, textOf("You are welcome."));
    expect(names.filter((name) => !talk.lastRequest().includes(name))).toEqual([]);
  });
});
