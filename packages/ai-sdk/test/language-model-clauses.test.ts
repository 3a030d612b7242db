import { languageModel } from "@fullstop/ai-sdk";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { anthropic } from "@fullstop/provider-anthropic";
import { google } from "@fullstop/provider-google";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { expect, test } from "vitest";
import { askOverSocket } from "./broken-clauses.ts";
import { aiSdkLoop, type Speaker } from "./subjects.ts";

const adapters: Readonly<Record<string, Speaker>> = {
  anthropic: {
    wire: anthropicWire,
    model: (at) => languageModel(anthropic("claude-sonnet-5-5", at)),
  },
  openai: { wire: openaiResponsesWire, model: (at) => languageModel(openai("gpt-5.2", at)) },
  openaiChat: { wire: openaiChatWire, model: (at) => languageModel(openaiChat("gpt-5.2", at)) },
  google: { wire: geminiWire, model: (at) => languageModel(google("gemini-3-pro", at)) },
};

test.each(Object.entries(adapters))(
  "AI SDK runs only calls of finished replies of the adapter %s",
  async (_, speaker) => {
    const { broken, asked } = await askOverSocket(aiSdkLoop(speaker, true));
    expect(broken).toEqual([]);
    expect(asked).toBeGreaterThan(5);
  },
);
