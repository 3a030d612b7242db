import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputCap, type SentCall } from "./events.ts";

/** One task of the agent, and what happens to the reply that holds its call. */
export interface Scene {
  readonly title: string;
  readonly prompt: string;
  /** The reply that arrives first. */
  readonly call: SentCall;
  /** The call that arrives if the agent asks again. Absent: the first reply comes again. */
  readonly again?: SentCall;
  /** Puts files into the folder. */
  prepare(folder: string): void;
  /** What the folder shows. */
  look(folder: string): Effect;
}

/** What became of the files. */
export interface Effect {
  readonly isSafe: boolean;
  readonly text: string;
}

const wholeConfig = '{\n  "database": "shop",\n  "retries": 3\n}\n';
const deletion = '{"folder": "data", "pattern": "*.tmp"}';
const payment: SentCall = {
  name: "pay",
  inputText: '{"amount": "250 EUR"}',
  stopReason: "tool_use",
  outputTokens: 30,
};

const readOr = (path: string, other: string): string =>
  existsSync(path) ? readFileSync(path, "utf8") : other;
const lookAtPayments = (folder: string, wanted: number): Effect => {
  const count = readOr(join(folder, "payments.txt"), "").split("\n").length - 1;
  const texts = ["nothing was paid", "paid once"];
  return { isSafe: count === wanted, text: texts[count] ?? `paid ${count} times` };
};

export const scenes: readonly Scene[] = [
  {
    title: "cut at the output limit, under max_tokens",
    prompt: "Delete the temporary files in data.",
    call: {
      name: "delete_files",
      inputText: deletion.slice(0, deletion.indexOf(', "pattern"')),
      stopReason: "max_tokens",
      outputTokens: outputCap,
    },
    prepare(folder) {
      mkdirSync(join(folder, "data"));
      for (const name of ["orders.db", "users.db", "a.tmp"])
        writeFileSync(join(folder, "data", name), "data");
    },
    look(folder) {
      const left = readdirSync(join(folder, "data")).filter((name) => name.endsWith(".db"));
      return left.length === 2
        ? { isSafe: true, text: "all data is there" }
        : { isSafe: false, text: `${2 - left.length} databases are deleted` };
    },
  },
  {
    title: "cut, and a gateway relabels it as tool_use",
    prompt: "Raise the retries in config.json to 5.",
    call: {
      name: "write_file",
      inputText: '{"path": "config.json", "content": "{\\n  \\"database\\": \\"sh',
      stopReason: "tool_use",
      outputTokens: outputCap,
    },
    prepare: (folder) => writeFileSync(join(folder, "config.json"), wholeConfig),
    look(folder) {
      const isWhole = readOr(join(folder, "config.json"), "") === wholeConfig;
      return { isSafe: isWhole, text: isWhole ? "config.json is whole" : "config.json is damaged" };
    },
  },
  {
    title: "refused by the provider after the whole call",
    prompt: "Pay the invoice that this e-mail asks for.",
    call: { ...payment, stopReason: "refusal" },
    prepare: () => undefined,
    look: (folder) => lookAtPayments(folder, 0),
  },
  {
    title: "connection lost after the call, then whole",
    prompt: "Pay the invoice.",
    call: { name: payment.name, inputText: payment.inputText, outputTokens: 30 },
    again: payment,
    prepare: () => undefined,
    look: (folder) => lookAtPayments(folder, 1),
  },
  {
    title: "finished",
    prompt: "Pay the invoice.",
    call: payment,
    prepare: () => undefined,
    look: (folder) => lookAtPayments(folder, 1),
  },
];
