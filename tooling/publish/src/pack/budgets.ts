import type { Measured } from "./size.ts";

/** What an app or a worker bundles of a package, and the highest size that passes. */
export interface Budget {
  /** The folder in `packages`. */
  readonly folder: string;
  /** The entry point; `.` by default. */
  readonly entry?: string;
  /** The one export that is imported; all of them by default. */
  readonly only?: string;
  /** Measured together with `createGate`, and with what both need of core. */
  readonly withGate?: true;
  /** In kB (1000 bytes), minified and gzipped. The commit that needs more raises it. */
  readonly kB: number;
  readonly paidBy: string;
}

/** The sizes that a user pays for. The packages that an app installs beside one are not in it. */
export const budgets: readonly Budget[] = [
  {
    folder: "core",
    only: "readTurn",
    kB: 21.2,
    paidBy: "Every app that reads replies with an adapter loads it.",
  },
  {
    folder: "loop",
    kB: 27.6,
    paidBy:
      "Every app that runs tools loads it, and a serverless function does so at each cold start.",
  },
  {
    folder: "guard",
    kB: 55.8,
    paidBy: "An app that keeps its own client loads it with the readers of all protocols.",
  },
  {
    folder: "ui",
    kB: 12.2,
    paidBy: "A server that answers `useChat` loads it, often as a function at the edge.",
  },
  {
    folder: "inspect",
    entry: "./view",
    kB: 8.3,
    paidBy: "The reader of a web page that shows recorded replies downloads it.",
  },
  {
    folder: "provider-openai",
    only: "openai",
    kB: 12.9,
    paidBy: "Every app that uses the protocol of OpenAI loads it beside the SDK.",
  },
  {
    folder: "provider-anthropic",
    entry: "./reply",
    only: "anthropicReply",
    withGate: true,
    kB: 15.6,
    paidBy: "A worker that checks replies of Claude uploads it, and its host limits the size.",
  },
  {
    folder: "provider-google",
    entry: "./reply",
    only: "googleReply",
    withGate: true,
    kB: 16.1,
    paidBy:
      "A worker that checks replies of Gemini uploads it, with the reader of inputs that come by path.",
  },
];

export interface Weighed {
  readonly fits: boolean;
  /** The size and the limit, and what to do if the size is above it. */
  readonly sentence: string;
}

export function weigh(name: string, budget: Budget, { bytes, files }: Measured): Weighed {
  const { only, entry = ".", withGate, kB, paidBy } = budget;
  const names = [only, withGate && "createGate"].filter(Boolean).join(", ");
  const what = `${name}${entry.slice(1)}${names === "" ? "" : ` { ${names} }`}`;
  const size = `${what}: ${(bytes / 1000).toFixed(1)} kB of ${kB} kB, minified and gzipped.\n`;
  const excess = Math.round(bytes - kB * 1000);
  if (excess <= 0) return { fits: true, sentence: size };
  const largest = files.slice(0, 5).map(({ file, percent }) => `${file} ${percent} %`);
  return {
    fits: false,
    sentence:
      `${size}That is ${excess} bytes too many. ${paidBy} The largest files: ${largest.join(", ")}.\n` +
      "Remove what is not needed. If the rest is, raise the number in tooling/publish/src/pack/budgets.ts.\n",
  };
}
