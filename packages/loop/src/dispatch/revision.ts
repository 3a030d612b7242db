import type { ReviewedCall } from "../contract/ports.ts";
import type { DispatchContext } from "./context.ts";

type Position = Pick<DispatchContext, "lease" | "key">;

const stepOf = (key: string, revision: string): string => `${key}/asked/${revision}`;

/**
 * Records that a call waits for a decision about this revision of its tool. A tool without a
 * revision needs no record.
 */
export async function recordAsked(
  { revision }: ReviewedCall,
  { lease, key }: Position,
): Promise<void> {
  if (revision === undefined) return;
  await lease.step(
    { key: stepOf(key, revision), kind: "approval" },
    { run: async () => ({ revision }), isTransient: () => false },
  );
}

/**
 * Whether a decision of `waiting` counts for the tool as it is now. If the tool has a revision, the
 * decision counts only if it was asked for with this revision. Without a journal that is not known,
 * and it counts.
 */
export async function isAboutRevision(
  { revision }: ReviewedCall,
  { lease, key }: Position,
): Promise<boolean> {
  if (revision === undefined) return true;
  return (await lease.read(stepOf(key, revision))) !== undefined;
}
