import { anthropic } from "./anthropic/index.ts";
import type { Protocol } from "./protocol.ts";
export const gemini: Protocol = anthropic;
