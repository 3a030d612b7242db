import type { Message } from "@fullstop/core";

/** The content of a reply: text, or the input of one tool call. */
export interface WorkloadReply {
  readonly kind: "text" | "input";
  readonly pieces: readonly string[];
}
export interface Workload {
  readonly name: string;
  readonly about: string;
  readonly reply: WorkloadReply;
  /** The number of replies that are read in parallel. */
  readonly parallel: number;
  /** The history of each request. */
  readonly messages: readonly Message[];
  /** Each event comes in a chunk of its own, as models send them; otherwise a chunk is 16 KiB. */
  readonly isLive?: true;
}

const question: readonly Message[] = [{ role: "user", content: "Write the file." }];
const pieceLength = 16;

/** A tool input of this size: source text, with its usual escapes. */
export function inputReply(bytes: number): WorkloadReply {
  const line = 'const answer = "forty-two";\n';
  const room = bytes - JSON.stringify({ path: "a.ts", content: "" }).length;
  const perLine = JSON.stringify(line).length - 2;
  const whole = Math.floor(room / perLine);
  const text = JSON.stringify({
    path: "a.ts",
    content: line.repeat(whole) + ".".repeat(room - whole * perLine),
  });
  const pieces = Array.from({ length: Math.ceil(bytes / pieceLength) }, (_, at) =>
    text.slice(at * pieceLength, (at + 1) * pieceLength),
  );
  return { kind: "input", pieces };
}

const text = (count: number): WorkloadReply => ({
  kind: "text",
  pieces: Array.from({ length: count }, (_, at) => `word ${at} `),
});

/** A history of turns, each with a call and its result. */
const history = (turns: number): readonly Message[] => [
  ...question,
  ...Array.from({ length: turns }, (_, at): readonly Message[] => {
    const id = `call_${at}`;
    const inputText = JSON.stringify({
      path: `src/${at}.ts`,
      content: "export const answer = 42;\n".repeat(8),
    });
    return [
      { role: "assistant", content: [{ type: "tool-call", id, name: "write", inputText }] },
      { role: "tool", content: [{ type: "tool-result", id, name: "write", content: "written" }] },
    ];
  }).flat(),
];

type Content = Omit<Workload, "name" | "about">;
const single = (reply: WorkloadReply): Content => ({ reply, parallel: 1, messages: question });
const live = (reply: WorkloadReply): Content => ({ ...single(reply), parallel: 16, isLive: true });
const kibi = 1024;
const withHistory = (turns: number): Content => ({ ...single(text(1)), messages: history(turns) });

const contents: Readonly<Record<string, readonly [about: string, content: Content]>> = {
  text: ["2,000 pieces of text", single(text(2000))],
  "64k": ["64 KiB of tool input", single(inputReply(64 * kibi))],
  "256k": ["256 KiB of tool input", single(inputReply(256 * kibi))],
  "1m": ["1 MiB of tool input", single(inputReply(1024 * kibi))],
  "8m": ["8 MiB of tool input", single(inputReply(8192 * kibi))],
  deltas: [
    "100,000 pieces of text, of one character each",
    single({ kind: "text", pieces: Array.from("abcdefghij".repeat(10_000)) }),
  ],
  short: ["20 pieces of text, 16 replies at once", { ...single(text(20)), parallel: 16 }],
  live: ["200 pieces of text, each in a chunk of its own, 16 replies at once", live(text(200))],
  "live-4k": [
    "4 KiB of tool input, each piece in a chunk of its own, 16 replies at once",
    live(inputReply(4 * kibi)),
  ],
  parallel: [
    "200 replies at once, 4 KiB of tool input each",
    { ...single(inputReply(4 * kibi)), parallel: 200 },
  ],
  "history-250": ["a history of 250 turns, for a reply of one word", withHistory(250)],
  history: ["a history of 500 turns, for a reply of one word", withHistory(500)],
};
export const workloads: readonly Workload[] = Object.entries(contents).map(
  ([name, [about, content]]) => ({ name, about, ...content }),
);

export function workloadNamed(name: string): Workload {
  const workload = workloads.find((one) => one.name === name);
  if (workload === undefined) throw new Error(`There is no workload ${name}.`);
  return workload;
}

/**
 * What each workload contains. Tool input comes in pieces of 16 bytes, or complete if the protocol
 * has no pieces.
 */
export const workloadDescriptions: Readonly<Record<string, string>> = Object.fromEntries(
  workloads.map(({ name, about }) => [name, about]),
);

export const charactersOf = ({ pieces }: WorkloadReply): number =>
  pieces.reduce((sum, piece) => sum + piece.length, 0);
