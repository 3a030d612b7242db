import type { StopReason, ToolCall, Turn } from "@fullstop/core";
import type { RunConfig } from "../config/run-config.ts";
import type { Salvage } from "../contract/tool.ts";
import { messageOf } from "../util/values.ts";
import { errorOutcome, serialize, type ToolOutcome, withNote } from "./output.ts";

export interface SalvageNotice {
  readonly call: ToolCall;
  readonly cut: string;
  readonly howToContinue: string;
}

/** `cause` is the stop reason of the reply that was cut. For a call that waited it is not known. */
export function salvageNotice(
  { tools }: RunConfig,
  { calls: [call] }: Turn,
  cause: StopReason | undefined,
): SalvageNotice | undefined {
  const tool = call?.by === "loop" ? tools.get(call.name) : undefined;
  if (call === undefined || tool?.salvage === undefined) return undefined;
  const { name } = tool;
  return {
    call,
    cut: `Your call of ${name} was cut off${cutWhere(cause)}, so its input was incomplete. ${name} ran with the part that arrived.`,
    howToContinue: howToContinue(tool.salvage),
  };
}

export function outcomeOfOutput(
  call: ToolCall,
  output: unknown,
  notice: SalvageNotice | undefined,
): ToolOutcome {
  const { name } = call;
  return notice?.call === call
    ? serialize(name, withNote(`${notice.cut} ${notice.howToContinue}`, name, output))
    : serialize(name, output);
}

export function outcomeOfFailure(
  call: ToolCall,
  thrown: unknown,
  notice: SalvageNotice | undefined,
): ToolOutcome {
  const note = notice?.call === call ? ` (${notice.cut})` : "";
  return errorOutcome(`${call.name} failed: ${messageOf(thrown)}${note}`);
}

function cutWhere(cause: StopReason | undefined): string {
  if (cause === undefined) return "";
  return cause === "length" ? " at the output limit" : " when the connection was lost";
}

const howToContinue = ({ continueWith }: Salvage<unknown>): string =>
  `The result may be only the first part. Use ${continueWith.join(" or ")} to add only what is missing, from the end of the text that you wrote. Do not read the text back, and do not write it again. If you have no plan for the rest, stop and say so.`;
