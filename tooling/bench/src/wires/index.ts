import type { BenchWire } from "../wire.ts";
import { anthropicBench } from "./anthropic.ts";
import { chatBench } from "./chat.ts";
import { geminiBench } from "./gemini.ts";
import { responsesBench } from "./responses.ts";

export const wires: Readonly<Record<"anthropic" | "chat" | "responses" | "gemini", BenchWire>> = {
  anthropic: anthropicBench,
  chat: chatBench,
  responses: responsesBench,
  gemini: geminiBench,
};
export type WireName = keyof typeof wires;
