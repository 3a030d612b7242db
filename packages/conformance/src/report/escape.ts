/** What neither XML nor a terminal may get, and what would turn the order of letters around. */
const controlCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text with everything written out that would not be seen, or would do something: `\u001b`. Lines and tabs stay. */
export const escapeControls = (text: string): string =>
  text
    .replaceAll("\r\n", "\\r\n")
    .replace(controlCharacters, (char) =>
      char === "\r" ? "\\r" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
