import type { TurnRequest } from "@fullstop/core";
import { requestKinds as kinds, type OptionKinds } from "@fullstop/core/adapter";
import type { RequestSettings } from "../contract/ports.ts";

export const requestKinds: OptionKinds<RequestSettings> = {
  toolChoice: kinds.toolChoice,
  maxTokens: kinds.maxTokens,
  effort: kinds.effort,
  cache: kinds.cache,
};

/** A forced choice applies to the first turn only. */
export const unforced = (choice: TurnRequest["toolChoice"]): TurnRequest["toolChoice"] =>
  choice === undefined || choice === "none" ? choice : "auto";
