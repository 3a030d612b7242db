import { restoreTurn, type Turn } from "@fullstop/core";
import { type Journal, stepIn } from "./journal.ts";

/** A reply from the provider, or from the journal: then its licences are derived anew. One that the caller aborted is asked for again. */
export async function replyFrom(journal: Journal, key: string, read: () => Promise<Turn>): Promise<Turn> {
  let live: Turn | undefined;
  const run = async (): Promise<unknown> => {
    live = await read();
    const { calls: _licences, ...stored } = live;
    return stored;
  };
  const stored = await stepIn(journal, { key, kind: "model" }, { run, passing: () => live?.stopReason === "aborted" });
  return live ?? restoreTurn(stored);
}
