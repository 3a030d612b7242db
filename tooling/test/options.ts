/** Rows of a help text: names, and what each of them means. */
export const formatRows = (table: Readonly<Record<string, string>>, width: number): string =>
  Object.entries(table)
    .map(([name, what]) => `  ${name.padEnd(width)} ${what}`)
    .join("\n");

/** What the command line asks for, or a sentence if one of its options is wrong. */
export type Parsed<Options> = Options | "help" | { readonly wrong: string };

/** Turns an error of the parser into the sentence. */
export function parsed<Options>(parse: () => Options | "help"): Parsed<Options> {
  try {
    return parse();
  } catch (thrown) {
    return { wrong: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/**
 * What a command is asked, as its parser gives it. `help` ends the process with 0 and prints the
 * help, and a wrong option ends it with 2.
 */
export function readCommandLine<
  Asked extends { readonly values: { readonly help?: boolean | undefined } },
>(help: string, parse: () => Asked): Asked {
  try {
    const asked = parse();
    if (!asked.values.help) return asked;
    process.stdout.write(help);
  } catch (thrown) {
    const sentence = thrown instanceof Error ? thrown.message : String(thrown);
    process.stderr.write(`${sentence}\nThe option --help prints all options.\n`);
    process.exit(2);
  }
  process.exit(0);
}

/**
 * The names of a list `a,b` in the order of `known`, or all of them if no list is given.
 * @throws Error if a name is not known.
 */
export function parseNames<Name extends string>(
  option: string,
  given: string | undefined,
  known: readonly Name[],
): readonly Name[] {
  const names: readonly string[] = given?.split(",").map((name) => name.trim()) ?? known;
  const stranger = names.find((name) => !known.some((one) => one === name));
  if (stranger !== undefined)
    throw new Error(`Unknown name "${stranger}" in --${option}: expected ${known.join(", ")}.`);
  return known.filter((name) => names.includes(name));
}

/** @throws Error if it is not an integer, or less than `least`. */
export function parseInteger(option: string, given: string, least?: number): number {
  const number = given.trim() === "" ? Number.NaN : Number(given);
  if (Number.isSafeInteger(number) && number >= (least ?? number)) return number;
  const bound = least === undefined ? "" : ` of at least ${least}`;
  throw new Error(`--${option} must be an integer${bound}, not "${given}".`);
}

/** The value of `--seed`, or a random one. */
export const parseSeed = (given: string | undefined): number =>
  given === undefined ? Math.floor(Math.random() * 2 ** 31) : parseInteger("seed", given);
