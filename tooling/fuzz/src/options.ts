import { parseArgs } from "node:util";
import { guard } from "@fullstop/guard";
import {
  formatRows,
  type Parsed,
  parsed,
  parseInteger,
  parseNames,
  parseSeed,
} from "@tooling/test/options";
import { type DoorName, doorNames, doorProtocols } from "./doors/index.ts";
import { properties } from "./judge.ts";
import { guardedNames, type ProtocolName, protocolNames, protocols } from "./protocols.ts";

export interface Options {
  readonly protocols: readonly ProtocolName[];
  readonly runs: number;
  readonly seed: number;
  readonly path?: string | undefined;
  readonly seconds?: number | undefined;
  readonly doubts: boolean;
  readonly guard: typeof guard | undefined;
  readonly door: DoorName | undefined;
}

const optionSpec = {
  protocol: { type: "string" },
  runs: { type: "string", default: "100000" },
  seed: { type: "string" },
  path: { type: "string" },
  seconds: { type: "string" },
  doubts: { type: "boolean", default: false },
  guard: { type: "boolean", default: false },
  door: { type: "string" },
  help: { type: "boolean", short: "h", default: false },
} as const;

const blindSpots = Object.fromEntries(
  Object.entries(protocols).map(([name, { hides }]) => [name, hides]),
);

export const help = `pnpm fuzz [options]

Generates replies as the hosts of a protocol write them, damages most of them, and reads them with the adapters. A reference reader, which follows
only the rules of the protocol, decides whether each reply is finished and which calls it contains. The properties:
${formatRows(properties, 11)}

If the rules leave a reply open, the adapter must issue all of its calls or none. Damage of an input is not detectable here:
${formatRows(blindSpots, 11)}

  --protocol a,b    ${protocolNames.join(", ")} (default: all)
  --runs n          replies for each protocol (default: ${optionSpec.runs.default})
  --seconds n       stops each protocol after n seconds
  --seed n          an integer; the same seed generates the same replies (default: random)
  --path p          repeats one counterexample; its report names the protocol, the seed and the path
  --guard           reads what guard() passes on, as a client that runs each call: of ${guardedNames.join(", ")}
  --door name       reads what finishedCalls() of a library gives out: ${doorNames.join(" or ")}
  --doubts          lists the questions that the rules leave open, and how often each occurred
  --help            prints this text

Exit codes: 0 no counterexample; 1 a counterexample; 2 an invalid option; 130 or 143 stopped by a signal.

  pnpm fuzz --protocol chat --runs 20000
  pnpm fuzz --seconds 60
`;

/** Parses the options. Returns a sentence if one of them is wrong. */
export const parseOptions = (args: readonly string[]): Parsed<Options> =>
  parsed(() => {
    const { values } = parseArgs({ args: [...args], options: optionSpec });
    if (values.help) return "help";
    const door = parseDoor(values.door);
    const names = namesOf(values.guard, door);
    const chosen = parseNames("protocol", values.protocol, names);
    if (values.path !== undefined && (chosen.length !== 1 || values.seed === undefined))
      throw new Error("--path requires one --protocol and its --seed.");
    return {
      protocols: chosen,
      runs: parseInteger("runs", values.runs, 1),
      seed: parseSeed(values.seed),
      path: parsePath(values.path),
      seconds:
        values.seconds === undefined ? undefined : parseInteger("seconds", values.seconds, 1),
      doubts: values.doubts,
      guard: values.guard ? guard : undefined,
      door,
    };
  });

const parseDoor = (given: string | undefined): DoorName | undefined =>
  given === undefined ? undefined : parseNames("door", given, doorNames)[0];

function namesOf(isGuarded: boolean, door: DoorName | undefined): readonly ProtocolName[] {
  if (door !== undefined) return doorProtocols[door];
  return isGuarded ? guardedNames : protocolNames;
}

function parsePath(given: string | undefined): string | undefined {
  if (given !== undefined && !/^\d+(:\d+)*$/.test(given))
    throw new Error(`--path must be numbers separated by colons, not "${given}".`);
  return given;
}
