/** Text that is HTML or XML already. Only `markup` makes it, so nothing reaches a page unescaped. */
export interface Markup {
  readonly markup: string;
}
type Part = string | number | Markup | readonly Markup[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What neither XML nor a terminal may get, and what would turn the order of letters around. */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** The text with everything written out that would not be seen, or would do something: `\u001b`. Lines and tabs stay. */
export const visible = (text: string): string =>
  text
    .replaceAll("\r\n", "\\r\n")
    .replace(unprintable, (char) =>
      char === "\r" ? "\\r" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );

function written(part: Part): string {
  if (typeof part === "string" || typeof part === "number")
    return visible(String(part)).replace(/[&<>"']/g, (char) => entities[char] ?? "");
  return "markup" in part ? part.markup : part.map(written).join("");
}

/** A template of HTML or XML: what is put into it is escaped, unless it is markup itself. */
export const markup = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup => ({
  markup: strings.reduce((text, next, n) => text + written(parts[n - 1] ?? "") + next),
});
