import type { Settlement } from "../contract/ports.ts";
import { isObject } from "../util/values.ts";

const words: ReadonlySet<unknown> = new Set(["did-not-happen", "unknown", "later"]);

/** `what` begins the error: "`journal.settle` returned". */
export function assertSettlement(value: unknown, what: string): asserts value is Settlement {
  if (words.has(value) || (isObject(value) && "result" in value)) return;
  throw new TypeError(
    `${what} a value that is not a settlement. It must be \`{ result }\`, "did-not-happen", "unknown" or "later".`,
  );
}
