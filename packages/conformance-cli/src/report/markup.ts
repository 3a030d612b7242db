import { escapeControls } from "@fullstop/conformance/report";

/** Text that is HTML or XML already. Only `markup` makes it, so nothing reaches a page unescaped. */
export interface Markup {
  readonly markup: string;
}
type MarkupPart = string | number | Markup | readonly Markup[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapePart(part: MarkupPart): string {
  if (typeof part === "string" || typeof part === "number")
    return escapeControls(String(part)).replace(/[&<>"']/g, (char) => entities[char] ?? "");
  return "markup" in part ? part.markup : part.map(escapePart).join("");
}

/** A template of HTML or XML: what is put into it is escaped, unless it is markup itself. */
export const markup = (strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup => ({
  markup: strings.reduce((text, next, n) => text + escapePart(parts[n - 1] ?? "") + next),
});
