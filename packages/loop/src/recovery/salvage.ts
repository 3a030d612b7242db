import type { Turn, WithheldCall } from "@fullstop/core";
import { type PartialInput, salvageTurn, type ToolUseTurn } from "@fullstop/core/adapter";
import type { Salvage } from "../contract/tool.ts";
import type { State } from "../turn/state.ts";
import { isObject } from "../util/values.ts";
import { isLastTurn, type RunTools } from "./action.ts";

/** Adding the rest costs less than repeating the reply. */
export function salvageFirst(turn: Turn, state: State): RunTools | undefined {
  const [withheld] = turn.withheld;
  return withheld !== undefined && salvageOf(withheld, state)?.first
    ? salvageLast(turn, state)
    : undefined;
}

/** Not after a parse error, because data in the middle may be missing. */
export function salvageLast(turn: Turn, state: State): RunTools | undefined {
  const [withheld] = turn.withheld;
  if (withheld === undefined || withheld.reason === "malformed-frame" || isLastTurn(state))
    return undefined;
  const acceptedTurn = completeTurn(turn, state);
  return acceptedTurn && { type: "run-tools", reply: turn, acceptedTurn, recovery: "salvage" };
}

function completeTurn(turn: Turn, state: State): ToolUseTurn | undefined {
  try {
    return salvageTurn(turn, (withheld, partial) =>
      completeInput(salvageOf(withheld, state), partial),
    );
  } catch {
    return undefined;
  }
}

const salvageOf = ({ name }: WithheldCall, { config }: State): Salvage<unknown> | undefined =>
  config.tools.get(name ?? "")?.salvage;

function completeInput(
  salvage: Salvage<unknown> | undefined,
  partial: PartialInput,
): object | undefined {
  const input = salvage?.input(partial);
  return isObject(input) ? input : undefined;
}
