import type { RunConfig } from "../config/run-config.ts";
import type { EventBody, RunEvent } from "../event.ts";

/**
 * The event with its position. All four fields are written out: previews are frequent, and a second
 * spread costs more than the rest of the event.
 */
export const placeEvent = (
  event: EventBody,
  { runId }: Pick<RunConfig, "runId">,
  turnNumber: number,
): RunEvent => ({ ...event, runId, path: ownPath, turnNumber, at: Date.now() });
const ownPath: RunEvent["path"] = Object.freeze([]);
