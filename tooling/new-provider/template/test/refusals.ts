import type { Violation } from "@fullstop/conformance";

type Item = Readonly<Record<string, unknown>>;
interface Body {
  readonly talk: readonly Item[];
  readonly max_tokens?: unknown;
}

/** The rules of Acme Chat that a request body violates, each with the part that violates it. https://docs.acme.example/chat */
export function violations(body: unknown): readonly Violation[] {
  const { talk, max_tokens: cap } = body as Body;
  const ids = talk.flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
  return [
    ...(cap === undefined || (Number.isInteger(cap) && Number(cap) > 0)
      ? []
      : [{ message: `max_tokens: ${cap}`, part: { max_tokens: cap } }]),
    ...ids
      .filter((id) => !/^[\w-]{1,40}$/.test(String(id)))
      .map((id) => ({ message: `the id ${id}`, part: id })),
    ...(new Set(ids).size === ids.length ? [] : [{ message: "an id twice", part: ids }]),
    ...unanswered(talk).map((message) => ({ message, part: talk })),
    ...talk
      .filter(({ json }) => json === "")
      .map((item) => ({ message: `${item["tool"]}: an empty input`, part: item })),
    // The documents do not say that the API refuses it.
    ...talk
      .filter(({ json }) => json !== undefined && !isJson(String(json)))
      .map((item) => ({
        message: `${item["tool"]}: an input that is not JSON`,
        part: item,
        level: "should" as const,
      })),
  ];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Each tool has its result before the next user message, and each result has its tool. */
function unanswered(talk: readonly Item[]): readonly string[] {
  const open = new Set<unknown>();
  const found: string[] = [];
  for (const { tool, result, user } of [...talk, { user: "" }]) {
    if (tool !== undefined) open.add(tool);
    else if (result !== undefined && !open.delete(result))
      found.push(`${result}: a result without its tool`);
    else if (user !== undefined) {
      for (const id of open) found.push(`${id}: a tool without its result`);
      open.clear();
    }
  }
  return found;
}
