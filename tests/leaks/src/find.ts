import { readTurn, type Turn } from "@fullstop/core";
import { mock, type Say } from "@fullstop/provider-mock";

/** What `readTurn` says about one reply to a request with these tools. */
export async function leakIn(say: Say, tools: readonly string[]): Promise<Turn["leakedCall"]> {
  const turn = await readTurn(mock([say]), {
    messages: [{ role: "user", content: "Go." }],
    tools: tools.map((name) => ({
      name,
      description: `The tool ${name}.`,
      inputSchema: { type: "object" },
    })),
  });
  return "leakedCall" in turn ? turn.leakedCall : undefined;
}
