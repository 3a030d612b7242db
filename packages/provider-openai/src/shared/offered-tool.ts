import type { TurnRequest } from "@fullstop/core";

/** A tool of a request. */
export type OfferedTool = NonNullable<TurnRequest["tools"]>[number];
