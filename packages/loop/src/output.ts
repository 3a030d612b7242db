/** What the model is told of a call. */
export interface Answer {
  readonly content: string;
  readonly isError?: true;
}

export const refused = (content: string): Answer => ({ content, isError: true });

/** The output of a tool as text. */
export function written(name: string, output: unknown): Answer {
  if (typeof output === "string") return { content: output };
  let problem = `it is ${typeof output}`;
  try {
    const content: string | undefined = JSON.stringify(output);
    if (content !== undefined) return { content };
  } catch (thrown) {
    problem = described(thrown);
  }
  return refused(`${name} ran to its end, but its output cannot be written as JSON (${problem}). Do not repeat it only to see its output.`);
}

/** What was thrown, in words. */
export function described(thrown: unknown): string {
  try {
    if (isError(thrown)) return String(thrown.message || thrown.name);
    return typeof thrown === "string" ? thrown : (JSON.stringify(thrown) ?? typeof thrown);
  } catch {
    return "it threw something that is no error";
  }
}

/** Also one of another realm, such as a worker or a test runner has. */
const isError = (thrown: unknown): thrown is Error =>
  thrown instanceof Error || Object.prototype.toString.call(thrown) === "[object Error]";

/** At most so many characters, from the beginning and from the end, and between them what is missing. */
export function fitted(answer: Answer, most: number): Answer {
  const { content } = answer;
  if (content.length <= most) return answer;
  const head = whole(content.slice(0, Math.ceil(most / 2)));
  const tail = whole(content.slice(content.length - Math.floor(most / 2)));
  const missing = content.length - head.length - tail.length;
  const notice = `[${missing} of ${content.length} characters are cut out here: a result holds ${most}. Ask for a smaller part to see them.]`;
  return { ...answer, content: `${head}\n${notice}\n${tail}` };
}

/** Without the half of a surrogate pair at either end. */
const whole = (text: string): string => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
