/** Characters that XML forbids, that control a terminal, or that change the direction of text. */
const controlCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds them
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Writes invisible and control characters as escapes, such as `\u001b`. Line feeds and tabs stay. */
export const escapeControls = (text: string): string =>
  text
    .replaceAll("\r\n", "\\r\n")
    .replace(controlCharacters, (char) =>
      char === "\r" ? "\\r" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
