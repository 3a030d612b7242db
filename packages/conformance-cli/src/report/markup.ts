import { escapeControls } from "@fullstop/conformance/report";

/**
 * Text that is already HTML or XML. Only `markup` creates it, except for the style of a page, so no
 * text reaches a page without escaping.
 */
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

/** A template for HTML or XML. Inserted values are escaped, except `Markup`. */
export const markup = (strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup => ({
  markup: strings.reduce((text, next, index) => text + escapePart(parts[index - 1] ?? "") + next),
});
