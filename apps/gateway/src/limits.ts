import { ConfigurationError } from "./routes.ts";

/** What a gateway bounds. */
export type LimitName =
  | "maxBody"
  | "maxDecoded"
  | "maxHeld"
  | "maxHeldTotal"
  | "maxActive"
  | "maxConnections"
  | "maxHead"
  | "headSeconds"
  | "bodySeconds"
  | "idleSeconds"
  | "silence";

type Unit = "KiB" | "MiB" | "seconds" | "number";
/** `beyond`: what a client gets. */
type Limit = readonly [standard: number, unit: Unit, what: string, beyond: string];

/** All limits of a gateway. The options of the command and the table of the README are made from it. */
export const limitTable: Readonly<Record<LimitName, Limit>> = {
  maxBody: [100, "MiB", "the largest body of a request", "413"],
  maxDecoded: [64, "MiB", "the largest compressed body, after decoding", "413"],
  maxHeld: [
    64,
    "MiB",
    "the largest event of a reply, and the most that is held of one reply",
    "400 or an error event; the client is not asked to send the request again",
  ],
  maxHeldTotal: [
    48,
    "MiB",
    "what all requests hold together: their bodies, and the parts of their replies that wait",
    "503 with `retry-after`, or an error event",
  ],
  maxActive: [1000, "number", "requests whose replies have not ended", "503 with `retry-after`"],
  maxConnections: [4000, "number", "open connections of clients", "the new connection is closed"],
  maxHead: [32, "KiB", "the head of a request", "431"],
  headSeconds: [30, "seconds", "how long the head of a request may take", "408"],
  bodySeconds: [600, "seconds", "how long a request with its body may take", "408"],
  // Longer than the 60 seconds of most load balancers, which would meet connections that just closed.
  idleSeconds: [
    75,
    "seconds",
    "how long a connection may be idle between two requests",
    "it is closed",
  ],
  silence: [
    1800,
    "seconds",
    "how long an upstream may send nothing, because models may think for long",
    "502, or an error event",
  ],
};

/** The option of the command. Commander gives its value the name of the limit. */
export const optionOf = (name: LimitName): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The least value of a limit. The value 0 turns it off. */
export const leastOf = (name: LimitName): 0 | 1 => (name === "silence" ? 0 : 1);

/** The value of each limit: a number of bytes, of milliseconds, or of things. */
export type Limits = Readonly<Record<LimitName, number>>;

const factors: Readonly<Record<Unit, number>> = {
  KiB: 1024,
  MiB: 1024 * 1024,
  seconds: 1000,
  number: 1,
};

export const limitNames: readonly LimitName[] = Object.keys(limitTable) as LimitName[];

/** The limits with the values of the command line, each in the unit of its row. */
export const limitsOf = (values: Readonly<Record<LimitName, number>>): Limits =>
  mapLimits((name) => values[name] * factors[limitTable[name][1]]);

const standardLimits: Limits = limitsOf(mapLimits((name) => limitTable[name][0]));

function mapLimits(read: (name: LimitName) => number): Limits {
  return Object.fromEntries(limitNames.map((name) => [name, read(name)])) as Limits;
}

/**
 * All limits, with the defaults of those that are not given.
 *
 * @throws {ConfigurationError} for a value that is not a number, and for an unknown name.
 */
export function completeLimits(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(limitTable, name))
      throw new ConfigurationError(
        `"${name}" is not a limit of the gateway. Use: ${limitNames.join(", ")}.`,
      );
    const least = leastOf(name as LimitName);
    if (!(value >= least))
      throw new ConfigurationError(`The limit ${name} must be a number of at least ${least}.`);
  }
  return { ...standardLimits, ...given };
}
