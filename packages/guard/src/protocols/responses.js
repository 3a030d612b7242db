import { anthropic } from "./anthropic.ts";
export const responses = anthropic;
