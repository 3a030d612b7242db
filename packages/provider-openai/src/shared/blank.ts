/** The text if it is a string with more than white space. */
export const nonBlank = (text: unknown): string | undefined =>
  typeof text === "string" && text.trim() !== "" ? text : undefined;
