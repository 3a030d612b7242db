import type { BenchWire } from "../wire.ts";
import { anthropicBench } from "./anthropic.ts";
import { bedrockBench } from "./bedrock.ts";
import { chatBench } from "./chat.ts";
import { geminiBench } from "./gemini.ts";
import { ollamaBench } from "./ollama.ts";
import { responsesBench } from "./responses.ts";

export type WireName = "anthropic" | "chat" | "responses" | "gemini" | "bedrock" | "ollama";
export const wires: Readonly<Record<WireName, BenchWire>> = {
  anthropic: anthropicBench,
  chat: chatBench,
  responses: responsesBench,
  gemini: geminiBench,
  bedrock: bedrockBench,
  ollama: ollamaBench,
};
