import { anthropic } from "./anthropic.ts";
export const gemini = anthropic;
