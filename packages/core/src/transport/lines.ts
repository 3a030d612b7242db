/** A line lies in `text` from `at` to `end`. The next one begins at `next` of the chunk. */
type OnLine = (text: string, at: number, end: number, next: number) => void;

export interface Lines {
  take(chunk: string, onLine: OnLine): void;
  rest(): string;
}

/** Lines stay in their chunk: only one that began in an earlier chunk is copied. */
export function createLines(): Lines {
  let rest = "";
  let afterReturn = false;
  return {
    take(chunk, onLine) {
      let at = afterReturn && chunk.startsWith("\n") ? 1 : 0;
      if (chunk !== "") afterReturn = chunk.endsWith("\r");
      const findEnd = chunk.includes("\r") ? findAnyEnd : findLineFeed;
      let end = findEnd(chunk, at);
      if (rest !== "" && end >= 0) {
        const joined = rest + chunk.slice(at, end);
        rest = "";
        at = afterEnd(chunk, end);
        onLine(joined, 0, joined.length, at);
        end = findEnd(chunk, at);
      }
      for (; end >= 0; end = findEnd(chunk, at)) {
        const next = afterEnd(chunk, end);
        onLine(chunk, at, end, next);
        at = next;
      }
      rest += chunk.slice(at);
    },
    rest: () => rest,
  };
}

const lineFeed = 10;
const carriageReturn = 13;
const findLineFeed = (chunk: string, from: number): number => chunk.indexOf("\n", from);
function findAnyEnd(chunk: string, from: number): number {
  for (let at = from; at < chunk.length; at++) {
    const code = chunk.charCodeAt(at);
    if (code === lineFeed || code === carriageReturn) return at;
  }
  return -1;
}
const afterEnd = (chunk: string, end: number): number =>
  chunk.charCodeAt(end) === carriageReturn && chunk.charCodeAt(end + 1) === lineFeed
    ? end + 2
    : end + 1;
