import type { ErrorKind } from "../contract/error.ts";

/** Expressions look at no more characters of a message. */
export const maxReadLength = 2000;

export const shortened = (message: string): string =>
  message.length > maxReadLength ? `${message.slice(0, maxReadLength)}…` : message;

/** Of about 20 hosts. No part may repeat without a limit: the server controls the text. */
const overflowTexts =
  /prompt (is )?too long|prompt exceeds max length|request_too_large|input is too long|exceeds? (the |this )?(model'?s? )?(maximum )?(available )?context (length|window|size)|context window (exceeded|exceeds limit)|(maximum|greater than the) (context|prompt) length|input token count[^\n]{0,80}exceeds the maximum|reduce the length of the messages|maximum allowed input length|longer than the model'?s context length|exceeds the limit of \d|exceeded model token limit|configured context size|model_context_window_exceeded|exceeded (max )?context length|range of input length should be|context_length_exceeded|too many tokens|token limit exceeded/i;
const rateLimitTexts = /rate.?limit|too many requests|throttl/i;
const isContextOverflow = (message: string): boolean => {
  const start = message.slice(0, maxReadLength);
  return overflowTexts.test(start) && !rateLimitTexts.test(start);
};

/** A filter's error may have the type of an invalid request (getappmap/appmap-js#2006). */
const isFilteredOutput = (message: string): boolean =>
  /output blocked by content filtering policy/i.test(message.slice(0, maxReadLength));

/** The kind of an error that only its sentence tells. */
export function kindInText(message: string): ErrorKind | undefined {
  if (isContextOverflow(message)) return "context-window";
  return isFilteredOutput(message) ? "filtered" : undefined;
}
