import { explain, type Turn } from "@fullstop/core";
import { outputToolName } from "@fullstop/core/adapter";
import { listTools } from "../contract/tool.ts";
import { toolsInTurn } from "../turn/output.ts";
import type { State } from "../turn/state.ts";

export const cutCallNote = (turn: Turn, state: State): string =>
  `${explain(turn).model} Do not repeat the same call. It had no effect, so do not look for its result. Write a short skeleton first, then add the rest in several small tool calls. If you cannot split it, say so in a text. ${listTools(toolsInTurn(state.config, state.outputMode))}`;

/** The model gets this note after a call that cannot be used, or that it wrote as text. */
export function malformedCallNote(turn: Turn, { config, outputMode }: State): string {
  const otherwise = outputMode === "tool" ? "" : ", or answer with text";
  return `${explain(turn).model} Call a tool with one complete JSON object as its input${otherwise}. ${listTools(toolsInTurn(config, outputMode))}`;
}

export const emptyReplyNote =
  "Your reply was empty. Continue with the task. If the task is done, say so in a text.";

export const cutObjectNote = (turn: Turn): string =>
  `${explain(turn).model} The JSON object is not complete, so it is not used. Write the whole object again, and make it shorter: use shorter texts and fewer items.`;

const maxListedIssues = 20;
export function invalidOutputNote(issues: readonly string[]): string {
  const rest = issues.length - maxListedIssues;
  const listed = issues.slice(0, maxListedIssues).map((issue) => `- ${issue}`);
  const lines = rest > 0 ? [...listed, `- and ${rest} more`] : listed;
  return `Your reply is not accepted as the answer:\n${lines.join("\n")}\nReply again with one complete JSON object that fits the schema, and nothing else.`;
}

/** The model gets this note after a text, if it must give the object of `output` as a call. */
export const callOutputNote = (state: State): string =>
  `Your reply is text, so it is not accepted as the answer. Give the answer as the input of the tool ${outputToolName}. ${listTools(toolsInTurn(state.config, state.outputMode))}`;

export const continueTextNote =
  "Your reply was cut off at the output limit. Continue exactly where it stopped. Do not repeat what you have written.";

/** Follows a warning about a repeated call. */
export const tryAnotherWay = "Try a different approach, or explain what prevents you.";

/** The next turn of the model is the last one. */
export const answerNow =
  "You cannot call any more tools. Answer now: say which parts are finished, which are not, and why.";
