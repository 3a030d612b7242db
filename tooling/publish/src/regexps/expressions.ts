import { parseSync, Visitor } from "oxc-parser";

/** A regular expression, and a file that has it. */
export interface Expression {
  readonly source: string;
  readonly flags: string;
  readonly file: string;
}

/** The expressions that a file writes out. */
export function literalsIn(file: string, code: string): readonly Expression[] {
  const found: Expression[] = [];
  new Visitor({
    Literal(node) {
      if (!("regex" in node)) return;
      found.push({ source: node.regex.pattern, flags: node.regex.flags, file });
    },
  }).visit(parseSync(file, code).program);
  return found;
}

/** The expressions that a module makes of texts while it loads. */
export async function madeWhileLoading(
  file: string,
  load: () => Promise<unknown>,
): Promise<readonly Expression[]> {
  const found: Expression[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, self) {
      const made: RegExp = Reflect.construct(target, args, self);
      found.push({ source: made.source, flags: made.flags, file });
      return made;
    },
  });
  try {
    await load();
  } finally {
    globalThis.RegExp = original;
  }
  return found;
}

/** Each expression once. */
export function distinct(expressions: readonly Expression[]): readonly Expression[] {
  return [...new Map(expressions.map((one) => [`/${one.source}/${one.flags}`, one])).values()];
}
