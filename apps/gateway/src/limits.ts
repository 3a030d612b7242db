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

interface Limit {
  /** The option of the command. Commander gives its value the name of the limit. */
  readonly option: string;
  readonly unit: "KiB" | "MiB" | "seconds" | "number";
  readonly standard: number;
  /** The least value. If it is 0, then the value 0 turns the limit off. */
  readonly least: 0 | 1;
  readonly what: string;
  /** What a client gets beyond it. */
  readonly beyond: string;
}

/** All limits of a gateway. The options of the command and the table of the README are made from it. */
export const limitTable: Readonly<Record<LimitName, Limit>> = {
  maxBody: {
    option: "--max-body",
    unit: "MiB",
    standard: 100,
    least: 1,
    what: "the largest body of a request",
    beyond: "413",
  },
  maxDecoded: {
    option: "--max-decoded",
    unit: "MiB",
    standard: 64,
    least: 1,
    what: "the largest compressed body, after decoding",
    beyond: "413",
  },
  maxHeld: {
    option: "--max-held",
    unit: "MiB",
    standard: 64,
    least: 1,
    what: "the largest event of a reply, and the most that is held of one reply",
    beyond: "400 or an error event; the client is not asked to send the request again",
  },
  maxHeldTotal: {
    option: "--max-held-total",
    unit: "MiB",
    standard: 48,
    least: 1,
    what: "what all requests hold together: their bodies, and the parts of their replies that wait",
    beyond: "503 with `retry-after`, or an error event",
  },
  maxActive: {
    option: "--max-active",
    unit: "number",
    standard: 1000,
    least: 1,
    what: "requests whose replies have not ended",
    beyond: "503 with `retry-after`",
  },
  maxConnections: {
    option: "--max-connections",
    unit: "number",
    standard: 4000,
    least: 1,
    what: "open connections of clients",
    beyond: "the new connection is closed",
  },
  maxHead: {
    option: "--max-head",
    unit: "KiB",
    standard: 32,
    least: 1,
    what: "the head of a request",
    beyond: "431",
  },
  headSeconds: {
    option: "--head-seconds",
    unit: "seconds",
    standard: 30,
    least: 1,
    what: "how long the head of a request may take",
    beyond: "408",
  },
  bodySeconds: {
    option: "--body-seconds",
    unit: "seconds",
    standard: 600,
    least: 1,
    what: "how long a request with its body may take",
    beyond: "408",
  },
  // Longer than the 60 seconds of most load balancers, which would meet connections that just closed.
  idleSeconds: {
    option: "--idle-seconds",
    unit: "seconds",
    standard: 75,
    least: 1,
    what: "how long a connection may be idle between two requests",
    beyond: "it is closed",
  },
  silence: {
    option: "--silence",
    unit: "seconds",
    standard: 1800,
    least: 0,
    what: "how long an upstream may send nothing, because models may think for long",
    beyond: "502, or an error event",
  },
};

/** The value of each limit: a number of bytes, of milliseconds, or of things. */
export type Limits = Readonly<Record<LimitName, number>>;

const factors: Readonly<Record<Limit["unit"], number>> = {
  KiB: 1024,
  MiB: 1024 * 1024,
  seconds: 1000,
  number: 1,
};

export const limitNames: readonly LimitName[] = Object.keys(limitTable) as LimitName[];

/** The limits with the values of the command line, each in the unit of its row. */
export const limitsOf = (values: Readonly<Record<LimitName, number>>): Limits =>
  mapLimits((name) => values[name] * factors[limitTable[name].unit]);

const standardLimits: Limits = mapLimits(
  (name) => limitTable[name].standard * factors[limitTable[name].unit],
);

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
    const { least } = limitTable[name as LimitName];
    if (!(value >= least))
      throw new ConfigurationError(`The limit ${name} must be a number of at least ${least}.`);
  }
  return { ...standardLimits, ...given };
}
