/** Whether a text is one JSON object. */
export function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Wraps a text that is not a JSON object: `{ text }`. */
export const wrapText = (text: string): string => JSON.stringify({ text });

/** The arguments of a call as a JSON object: hosts parse them, and many accept only an object. */
export function encodeArguments(inputText: string): string {
  if (inputText.trim() === "") return "{}";
  return isObjectText(inputText) ? inputText : wrapText(inputText);
}
