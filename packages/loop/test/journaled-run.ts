import type { Message, Outcome, RunEvent, RunOptions, ToolResultBlock } from "@fullstop/loop";
import { type Mock, mock, type Script, type ScriptedCall } from "@fullstop/provider-mock";
import { type JournalLine, type MemoryJournal, memoryJournal } from "./memory.ts";
import { recorder, runWatched } from "./tools.ts";

export const pay: { readonly calls: readonly ScriptedCall[] } = {
  calls: [{ name: "pay", input: { cents: 5 } }],
};
export const results = (messages: readonly Message[]): readonly ToolResultBlock[] =>
  messages.flatMap((message) => (message.role === "tool" ? message.content : []));
export const contents = (messages: readonly Message[]): readonly ToolResultBlock["content"][] =>
  results(messages).map(({ content }) => content);

interface JournaledRun {
  readonly outcome: Outcome;
  readonly events: readonly RunEvent[];
  readonly model: Mock;
  /** How many calls ran. */
  readonly ran: number;
}
/** Runs a script as the run `r`, with this journal. */
export async function runJournaled(
  journal: MemoryJournal,
  script: Script,
  options: Partial<RunOptions> = {},
): Promise<JournaledRun> {
  const model = mock(script);
  const spy = recorder("pay", (_, { idempotencyKey }) => `paid ${idempotencyKey}`);
  const { outcome, events } = await runWatched({
    adapter: model,
    tools: [spy],
    prompt: "Go.",
    journal: { store: journal, runId: "r" },
    ...options,
  });
  return { outcome, events, model, ran: spy.ran.length };
}
export const withoutLines = (
  lines: readonly JournalLine[],
  unwanted: (line: JournalLine) => boolean,
): MemoryJournal => memoryJournal(lines.filter((line) => !unwanted(line)));
export const keys = ({ lines }: MemoryJournal): readonly string[] =>
  lines.map(({ key, begun }) => (begun ? `${key} begun` : key));
