import { restoreTurn, type Turn } from "@fullstop/core";
import { type Journal, stepIn } from "./journal.ts";

export interface Reply {
  readonly turn: Turn;
  /** From the journal: nothing was asked. */
  readonly replayed: boolean;
}
/** A reply from the provider, or from the journal: then its licences are derived anew. One that the caller aborted is asked for again. */
export async function replyFrom(
  journal: Journal,
  key: string,
  read: () => Promise<Turn>,
): Promise<Reply> {
  let live: Turn | undefined;
  const run = async (): Promise<unknown> => {
    live = await read();
    const { calls: _licences, ...stored } = live;
    return stored;
  };
  const stored = await stepIn(
    journal,
    { key, kind: "model" },
    { run, passing: () => live?.stopReason === "aborted" },
  );
  return live === undefined
    ? { turn: restoreTurn(stored), replayed: true }
    : { turn: live, replayed: false };
}
