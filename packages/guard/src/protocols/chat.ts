import { anthropic } from "./anthropic.ts";
import type { Protocol } from "./protocol.ts";
export const chat: Protocol = anthropic;
