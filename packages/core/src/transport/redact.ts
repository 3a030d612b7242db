/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** What stands where a secret stood. */
export const redacted = "[redacted]";

/** A piece of a secret that has this many characters is taken out too: messages quote a part of what they complain about. */
const piece = 8;
/** A shorter text is not looked for: it stands in too many others. */
const shortest = 4;

/**
 * Takes these texts out of others: whole, as JSON or a URL writes them, or a piece of them.
 * A text of letters alone that is shorter than a piece counts as a placeholder (`none`, `test`), and stays. An expression is looked for as it is.
 */
export function createRedact(secrets: readonly (string | RegExp)[]): Redact {
  const patterns = secrets.filter((secret) => typeof secret !== "string");
  const forms = new Set(
    secrets.flatMap((secret) => (typeof secret === "string" ? formsOf(secret) : [])),
  );
  const short = [...forms].filter(
    (form) => form.length < piece && form.length >= shortest && /[^a-z]/i.test(form),
  );
  const pieces = new Set([...forms].flatMap(piecesOf));
  return (text) => {
    let rest = pieces.size === 0 ? text : withoutPieces(text, pieces);
    for (const form of short) rest = rest.replaceAll(form, redacted);
    for (const pattern of patterns) rest = rest.replaceAll(pattern, redacted);
    return rest;
  };
}

/** A secret is broken where it has blanks: a header is told in parts, and a line break splits it. */
function formsOf(secret: string): readonly string[] {
  const parts = [secret, ...secret.split(/\s+/)].filter((part) => part.length >= shortest);
  return parts.flatMap((part) => [part, JSON.stringify(part).slice(1, -1), encoded(part)]);
}

/** A lone surrogate has no place in a URL. */
const encoded = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : text);

const piecesOf = (form: string): readonly string[] =>
  Array.from({ length: Math.max(0, form.length - piece + 1) }, (_, at) =>
    form.slice(at, at + piece),
  );

/** One pass: what is covered by a piece is cut out, and pieces that touch are one. */
function withoutPieces(text: string, pieces: ReadonlySet<string>): string {
  const kept: string[] = [];
  let from = 0;
  let coveredTo = 0;
  for (let at = 0; at + piece <= text.length; at++) {
    if (!pieces.has(text.slice(at, at + piece))) continue;
    if (coveredTo === 0 || at > coveredTo) kept.push(text.slice(from, at), redacted);
    coveredTo = at + piece;
    from = coveredTo;
  }
  return from === 0 ? text : kept.join("") + text.slice(from);
}
