import type { ToolCall } from "@fullstop/core";
import type { RunConfig } from "../config/run-config.ts";
import type { EventBody } from "../event.ts";
import type { RunLease } from "../journal/journal.ts";
import type { NestedRuns } from "../turn/state.ts";
import type { SalvageNotice } from "./salvage-notice.ts";

/** What the calls of a turn need of their run. */
export interface DispatchContext {
  readonly config: RunConfig;
  readonly signal: AbortSignal;
  readonly emit: (event: EventBody) => void;
  readonly lease: RunLease;
  /** `<run>/<turn>` */
  readonly key: string;
  /**
   * Ids are unique in one conversation. In a sub-agent, or after a compaction, only the keys of the
   * calls are unique in the run.
   */
  readonly namesCallsByKey: boolean;
  /** Calls that must not run, each with the reason for the model. */
  readonly declined: ReadonlyMap<ToolCall, string>;
  readonly nested: NestedRuns;
  /** About the call that a tool completed, if there is one. */
  readonly notice: SalvageNotice | undefined;
}
