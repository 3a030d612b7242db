export type Redact = (text: string) => string;

export const redacted = "[redacted]";

/** The password in a URL, such as `postgres://user:password@host`. */
const urlPassword = /([a-z][a-z0-9+.-]{0,20}:\/\/[^\s/?#:@"'<>]{0,100}:)[^\s/?#"'<>]{1,500}(?=@)/gi;

/** Parts of a secret of this length are removed too: messages quote parts of what they report. */
const piece = 8;
/** Shorter texts are not removed: too many other texts contain them. */
const shortest = 4;

/**
 * Removes these texts: as they are, as JSON or a URL writes them, and parts of them. A short text
 * of letters only counts as a placeholder (`none`, `test`) and stays. A regular expression is used
 * as it is. The password in any URL is removed, too.
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
    return rest.replaceAll(urlPassword, `$1${redacted}`);
  };
}

/** Splits a secret at blanks: messages quote a header in parts, and a line break splits it. */
function formsOf(secret: string): readonly string[] {
  const parts = [secret, ...secret.split(/\s+/)].filter((part) => part.length >= shortest);
  return parts.flatMap((part) => [part, JSON.stringify(part).slice(1, -1), encoded(part)]);
}

/** A URL cannot contain a lone surrogate. */
const encoded = (text: string): string => (text.isWellFormed() ? encodeURIComponent(text) : text);

const piecesOf = (form: string): readonly string[] =>
  Array.from({ length: Math.max(0, form.length - piece + 1) }, (_, at) =>
    form.slice(at, at + piece),
  );

/** Removes all parts in one pass. Parts that touch are removed together. */
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
