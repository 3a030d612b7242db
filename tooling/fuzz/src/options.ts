import { parseArgs } from "node:util";
import { properties } from "./judge.ts";
import { type ProtocolName, protocolNames, protocols } from "./protocols.ts";

export interface Options {
  readonly protocols: readonly ProtocolName[];
  readonly runs: number;
  readonly seed: number;
  readonly path?: string | undefined;
  readonly seconds?: number | undefined;
  readonly doubts: boolean;
}

const optionSpec = {
  protocol: { type: "string" },
  runs: { type: "string", default: "100000" },
  seed: { type: "string" },
  path: { type: "string" },
  seconds: { type: "string" },
  doubts: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

const formatRows = (table: Readonly<Record<string, string>>): string =>
  Object.entries(table)
    .map(([name, what]) => `  ${name.padEnd(11)} ${what}`)
    .join("\n");
const blindSpots = Object.fromEntries(
  Object.entries(protocols).map(([name, { hides }]) => [name, hides]),
);

export const help = `pnpm fuzz [options]

Generates replies as the hosts of a protocol write them, damages most of them on their way, and reads them with the adapters. A reader that follows
nothing but the rules of the protocol says of each whether it is finished and which calls it carries. What is asked:
${formatRows(properties)}

A reply that the rules leave open must still be read as a whole or not at all. An input may differ from what was written here:
${formatRows(blindSpots)}

  --protocol a,b    ${protocolNames.join(", ")} (default: all)
  --runs n          replies of each protocol (default: ${optionSpec.runs.default})
  --seconds n       stops after so many seconds for each protocol
  --seed n          a whole number; the same seed makes the same replies (default: another one each time)
  --path p          one counterexample of a seed, as its report names it; for one protocol
  --doubts          lists what was left open, and how often
  --help            this

Exit codes: 0 no counterexample; 1 a counterexample; 2 an option that is wrong; 130 or 143 stopped by a signal.

  pnpm fuzz --protocol chat --runs 20000
  pnpm fuzz --seconds 60
`;

/** Options as they were typed, or a sentence on what is wrong with them. */
export function parseOptions(
  args: readonly string[],
): Options | "help" | { readonly wrong: string } {
  try {
    const { values } = parseArgs({ args: [...args], options: optionSpec });
    if (values.help) return "help";
    const chosen = parseProtocols(values.protocol);
    if (values.path !== undefined && (chosen.length !== 1 || values.seed === undefined))
      throw new Error("--path needs one --protocol and its --seed.");
    return {
      protocols: chosen,
      runs: parseWhole("runs", values.runs, 1),
      seed:
        values.seed === undefined
          ? Math.floor(Math.random() * 2 ** 31)
          : parseWhole("seed", values.seed, -(2 ** 31)),
      path: parsePath(values.path),
      seconds: values.seconds === undefined ? undefined : parseWhole("seconds", values.seconds, 1),
      doubts: values.doubts,
    };
  } catch (thrown) {
    return { wrong: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

function parseProtocols(given: string | undefined): readonly ProtocolName[] {
  const names = given?.split(",").map((name) => name.trim()) ?? protocolNames;
  const stranger = names.find((name) => !Object.hasOwn(protocols, name));
  if (stranger !== undefined)
    throw new Error(
      `--protocol does not know "${stranger}"; it knows ${protocolNames.join(", ")}.`,
    );
  return protocolNames.filter((name) => names.includes(name));
}

function parseWhole(option: string, given: string, least: number): number {
  const number = given.trim() === "" ? Number.NaN : Number(given);
  if (!Number.isSafeInteger(number) || number < least)
    throw new Error(`--${option} must be a whole number from ${least}, not "${given}".`);
  return number;
}

function parsePath(given: string | undefined): string | undefined {
  if (given !== undefined && !/^\d+(:\d+)*$/.test(given))
    throw new Error(`--path must be numbers between colons, not "${given}".`);
  return given;
}
