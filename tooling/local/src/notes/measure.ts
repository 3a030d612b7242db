import { type Adapter, readTurn, type TurnRequest } from "@fullstop/core";
import { openaiCompatible } from "@fullstop/provider-openai-compatible";
import { type Situation, situations, withNote } from "./situations.ts";
import { wordings } from "./wordings.ts";

/** How many of the replies are finished calls. */
async function count(adapters: readonly Adapter[], request: TurnRequest): Promise<number> {
  let calls = 0;
  for (const adapter of adapters) {
    const turn = await readTurn(adapter, request);
    if (turn.stopReason === "tool-use") calls++;
    else if (turn.stopReason === "error") throw new Error(turn.error.message);
  }
  return calls;
}

/** The table of all notes and wordings. `onRow` gets each row when it is measured. */
export async function measure(
  url: string,
  runs: number,
  onRow: (row: string) => void = () => undefined,
): Promise<string> {
  const adapters = Array.from({ length: runs }, (_, seed) =>
    openaiCompatible("llamacpp", "local", {
      baseURL: `${url}/v1`,
      apiKey: "none",
      params: { temperature: 0.7, seed },
    }),
  );
  const rows: string[] = ["| after | wording | finished calls |", "|---|---|--:|"];
  for (const situation of await situations())
    for (const [idea, note] of notesFor(situation)) {
      const calls = await count(adapters, withNote(situation, note));
      const row = `| ${situation.name} | ${idea}: ${note} | ${calls} of ${runs} |`;
      rows.push(row);
      onRow(row);
    }
  return rows.join("\n");
}

/** The loop's own note, and the others. */
const notesFor = ({ name, note }: Situation): readonly (readonly [string, string])[] => [
  ["**the loop's**", note],
  ...Object.entries(wordings[name] ?? {}),
];
