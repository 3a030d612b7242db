import type { Exception } from "./exceptions.ts";
import type { Expression } from "./expressions.ts";
import { growthOfExpression } from "./growth.ts";

/** What must be mended: expressions that grow, and exceptions that no expression needs. */
export function findGrowth(
  expressions: readonly Expression[],
  exceptions: readonly Exception[],
): readonly string[] {
  const used = new Set<Exception>();
  const found: string[] = [];
  for (const expression of expressions) {
    const growth = growthOfExpression(expression);
    if (growth === "linear") continue;
    const { file } = expression;
    const written = `/${expression.source}/${expression.flags}`;
    const exception = exceptions.find((one) => one.file.test(file) && one.expression.test(written));
    if (exception === undefined)
      found.push(`${file}: ${written} grows faster than its text: ${growth}`);
    else used.add(exception);
  }
  const unused = exceptions.filter((one) => !used.has(one));
  return [
    ...found,
    ...unused.map(
      ({ file, expression }) => `exceptions.ts: nothing needs ${expression} of ${file}`,
    ),
  ];
}
