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

Generates replies as the hosts of a protocol write them, damages most of them, and reads them with the adapters. A reference reader, which follows
only the rules of the protocol, decides whether each reply is finished and which calls it contains. The properties:
${formatRows(properties)}

If the rules leave a reply open, the adapter must issue all of its calls or none. Damage of an input is not detectable here:
${formatRows(blindSpots)}

  --protocol a,b    ${protocolNames.join(", ")} (default: all)
  --runs n          replies for each protocol (default: ${optionSpec.runs.default})
  --seconds n       stops each protocol after n seconds
  --seed n          an integer; the same seed generates the same replies (default: random)
  --path p          repeats one counterexample; its report names the protocol, the seed and the path
  --doubts          lists the questions that the rules leave open, and how often each occurred
--help            prints this text

Exit codes: 0 no counterexample; 1 a counterexample; 2 an invalid option; 130 or 143 stopped by a signal.

  pnpm fuzz --protocol chat --runs 20000
  pnpm fuzz --seconds 60
`;

/** Parses the options. Returns a sentence if one of them is wrong. */
export function parseOptions(
  args: readonly string[],
): Options | "help" | { readonly wrong: string } {
  try {
    const { values } = parseArgs({ args: [...args], options: optionSpec });
    if (values.help) return "help";
    const chosen = parseProtocols(values.protocol);
    if (values.path !== undefined && (chosen.length !== 1 || values.seed === undefined))
      throw new Error("--path requires one --protocol and its --seed.");
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
      `Unknown protocol "${stranger}" in --protocol: expected ${protocolNames.join(", ")}.`,
    );
  return protocolNames.filter((name) => names.includes(name));
}

function parseWhole(option: string, given: string, least: number): number {
  const number = given.trim() === "" ? Number.NaN : Number(given);
  if (!Number.isSafeInteger(number) || number < least)
    throw new Error(`--${option} must be an integer of at least ${least}, not "${given}".`);
  return number;
}

function parsePath(given: string | undefined): string | undefined {
  if (given !== undefined && !/^\d+(:\d+)*$/.test(given))
    throw new Error(`--path must be numbers separated by colons, not "${given}".`);
  return given;
}
