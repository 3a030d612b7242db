import type { Message } from "@fullstop/core";

/** The content of a reply: text, or the input of one tool call. */
export interface WorkloadReply {
  readonly kind: "text" | "input";
  readonly pieces: readonly string[];
}
export interface Workload {
  readonly name: string;
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

const single = (reply: WorkloadReply): Omit<Workload, "name"> => ({
  reply,
  parallel: 1,
  messages: question,
});
const kibi = 1024;

const live = (reply: WorkloadReply): Omit<Workload, "name"> => ({
  ...single(reply),
  parallel: 16,
  isLive: true,
});

const workloadDefinitions: Readonly<Record<string, Omit<Workload, "name">>> = {
  text: single(text(2000)),
  "64k": single(inputReply(64 * kibi)),
  "256k": single(inputReply(256 * kibi)),
  "1m": single(inputReply(1024 * kibi)),
  "8m": single(inputReply(8192 * kibi)),
  deltas: single({ kind: "text", pieces: Array.from("abcdefghij".repeat(10_000)) }),
  short: { ...single(text(20)), parallel: 16 },
  live: live(text(200)),
  "live-4k": live(inputReply(4 * kibi)),
  parallel: { reply: inputReply(4 * kibi), parallel: 200, messages: question },
  "history-250": { reply: text(1), parallel: 1, messages: history(250) },
  history: { reply: text(1), parallel: 1, messages: history(500) },
};
export const workloads: readonly Workload[] = Object.entries(workloadDefinitions).map(
  ([name, workload]) => ({
    name,
    ...workload,
  }),
);

/**
 * What each workload contains. Tool input comes in pieces of 16 bytes, or complete if the protocol
 * has no pieces.
 */
export const workloadDescriptions: Readonly<Record<string, string>> = {
  text: "2,000 pieces of text",
  "64k": "64 KiB of tool input",
  "256k": "256 KiB of tool input",
  "1m": "1 MiB of tool input",
  "8m": "8 MiB of tool input",
  deltas: "100,000 pieces of text, of one character each",
  short: "20 pieces of text, 16 replies at once",
  live: "200 pieces of text, each in a chunk of its own, 16 replies at once",
  "live-4k": "4 KiB of tool input, each piece in a chunk of its own, 16 replies at once",
  parallel: "200 replies at once, 4 KiB of tool input each",
  "history-250": "a history of 250 turns, for a reply of one word",
  history: "a history of 500 turns, for a reply of one word",
};

export const charactersOf = ({ pieces }: WorkloadReply): number =>
  pieces.reduce((sum, piece) => sum + piece.length, 0);
