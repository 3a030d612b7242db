/** An entry of an index has at most 2704 bytes, and that of a step holds both. */
export const longestRunId = 1000;
export const longestKey = 1600;

/** Throws if PostgreSQL cannot store the text as it is. */
export function assertStorable(what: string, text: string, longest: number): void {
  const problem = findProblem(text, longest);
  if (problem === undefined) return;
  throw new TypeError(
    `The ${what} ${JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)} ${problem}. Use another \`journal.runId\`.`,
  );
}

function findProblem(text: string, longest: number): string | undefined {
  if (text === "") return "is empty";
  if (text.includes("\0")) return "has the character U+0000, which PostgreSQL cannot store";
  if (!text.isWellFormed()) return "has half of a surrogate pair, which UTF-8 cannot express";
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > longest) return `has ${bytes} bytes, and the journal takes at most ${longest}`;
  return undefined;
}
