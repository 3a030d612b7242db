import { explain, type Turn } from "@fullstop/core";
import { listTools } from "../config/tool.ts";
import type { State } from "../turn/state.ts";

/** The model gets this note after a call that was cut. */
export const cutCallNote = (turn: Turn, { config }: State): string =>
  `${explain(turn).model} Do not repeat the same call. Write a short skeleton first, then add the rest in several small tool calls. ${listTools(config.tools)}`;

/** The model gets this note after a call that cannot be used. */
export const malformedCallNote = (turn: Turn, { config }: State): string =>
  `${explain(turn).model} Call a tool with one complete JSON object as its input, or answer with text. ${listTools(config.tools)}`;

/** The model gets this note after a text that was cut. */
export const continueTextNote =
  "Your reply was cut off at the output limit. Continue exactly where it stopped. Do not repeat what you have written.";

/** Follows a warning about a repeated call. */
export const tryAnotherWay = "Try a different approach, or explain what prevents you.";

/** The next turn of the model is the last one. */
export const answerNow =
  "You cannot call any more tools. Answer now: say which parts are finished, which are not, and why.";
