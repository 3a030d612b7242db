import { anthropic } from "./anthropic.ts";
export const chat = anthropic;
