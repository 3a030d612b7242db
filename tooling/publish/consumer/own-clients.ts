import { strict as assert } from "node:assert";
import Anthropic from "@anthropic-ai/sdk";
import type { Wire } from "@fullstop/conformance";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import type { Adapter } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { google } from "@fullstop/provider-google";
import { openai, openaiChat } from "@fullstop/provider-openai";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { agent } from "./agent.ts";

/** Headers that only the client of the app sends. */
const headers = { "x-own-client": "yes" };
const options = (baseURL: string) => ({ baseURL, apiKey: "none", defaultHeaders: headers });
const gemini = (baseUrl: string) =>
  new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl, headers } });

const clients: readonly (readonly [Wire, (url: string) => Adapter])[] = [
  [anthropicWire, (url) => anthropic("claude-sonnet-5-5", { client: new Anthropic(options(url)) })],
  [openaiResponsesWire, (url) => openai("gpt-5.5", { client: new OpenAI(options(url)) })],
  [openaiChatWire, (url) => openaiChat("gpt-5.5", { client: new OpenAI(options(url)) })],
  [geminiWire, (url) => google("gemini-3.1-pro", { client: gemini(url) })],
];

for (const [wire, adapter] of clients) {
  const { headers: sent } = await agent(wire, adapter);
  assert.equal(sent["x-own-client"], "yes", wire.name);
  console.log(`${wire.name}, with the client of the app`);
}
