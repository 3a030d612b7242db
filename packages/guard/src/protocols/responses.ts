import { anthropic } from "./anthropic/index.ts";
import type { Protocol } from "./protocol.ts";
export const responses: Protocol = anthropic;
