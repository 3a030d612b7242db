import type { StopReason, Turn } from "@fullstop/core";
import type { RunConfig } from "../config/run-config.ts";
import type { Salvage, Tool, ToolOutput } from "../config/tool.ts";
import { messageOf } from "../util/values.ts";
import { withNote } from "./output.ts";

/**
 * If a tool completed the call of this turn, its result begins with a notice: the call was cut, and
 * how to continue. `cause` is the stop reason of the reply that was cut; it is not known of a call
 * that waited for a decision.
 */
export function withSalvageNotice(
  config: RunConfig,
  { calls: [call] }: Turn,
  cause: StopReason | undefined,
): RunConfig {
  const tool = call?.by === "loop" ? config.tools.get(call.name) : undefined;
  if (tool?.salvage === undefined) return config;
  const execute: NonNullable<Tool["execute"]> = executeWithNotice(tool, tool.salvage, cause);
  return { ...config, tools: new Map([...config.tools, [tool.name, { ...tool, execute }]]) };
}

function executeWithNotice(
  tool: Tool,
  salvage: Salvage<unknown>,
  cause: StopReason | undefined,
): NonNullable<Tool["execute"]> {
  const { name } = tool;
  const notice = `Your call of ${name} was cut off${cutWhere(cause)}, so its input was incomplete. ${name} ran with the part that arrived.`;
  return async (...args: Parameters<NonNullable<Tool["execute"]>>): Promise<ToolOutput> => {
    try {
      return withNote(`${notice} ${howToContinue(salvage)}`, name, await tool.execute?.(...args));
    } catch (cause) {
      throw new Error(`${messageOf(cause)} (${notice})`, { cause });
    }
  };
}

function cutWhere(cause: StopReason | undefined): string {
  if (cause === undefined) return "";
  return cause === "length" ? " at the output limit" : " when the connection was lost";
}

const howToContinue = ({ continueWith }: Salvage<unknown>): string =>
  `The result may be only the first part. Use ${continueWith.join(" or ")} to add only what is missing, from the end of the text that you wrote. Do not read the text back, and do not write it again. If you have no plan for the rest, stop and say so.`;
