import type { OptionKind, OptionKinds } from "./kinds.ts";

interface OptionFlaw {
  readonly name: string;
  readonly value: unknown;
  readonly kind: OptionKind | undefined;
}

export function findFlaw<Options extends object>(
  options: Options,
  kinds: OptionKinds<Required<Options>>,
): OptionFlaw | undefined {
  const known: Readonly<Record<string, OptionKind>> = kinds;
  for (const [name, value] of Object.entries(options)) {
    const kind = Object.hasOwn(known, name) ? known[name] : undefined;
    if (kind === undefined || !(value === undefined || kind.isValid(value)))
      return { name, value, kind };
  }
  return undefined;
}
