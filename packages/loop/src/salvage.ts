import {
  type PartialInput,
  type StopReason,
  salvageTurn,
  type ToolUseTurn,
  type Turn,
  type WithheldCall,
} from "@fullstop/core";
import { type Answer, isLastTurn } from "./move.ts";
import { described, noted } from "./output.ts";
import type { State } from "./state.ts";
import type { Salvage, Tool, ToolOutput } from "./tool.ts";

type Tools = ReadonlyMap<string, Tool>;

/** The tool of the one call that was cut asks to come before the other remedies: to repeat the reply costs more than to add the rest. */
export function beforeRemedies(turn: Turn, state: State): Answer | undefined {
  const [held] = turn.withheld;
  return held !== undefined && salvageOf(held, state.plan.tools)?.first
    ? afterRemedies(turn, state)
    : undefined;
}

/**
 * The last remedy of a cut reply: the tool of its one call makes a complete input of what arrived.
 * Not of a reply that could not be read: there something in the middle may be missing.
 */
export function afterRemedies(turn: Turn, state: State): Answer | undefined {
  const [held] = turn.withheld;
  if (held === undefined || held.reason === "malformed-frame" || isLastTurn(state))
    return undefined;
  const salvaged = complete(turn, state.plan.tools);
  return salvaged && { act: "answer", salvaged };
}

function complete(turn: Turn, tools: Tools): ToolUseTurn | undefined {
  try {
    return salvageTurn(turn, (held, cut) => read(salvageOf(held, tools), cut));
  } catch {
    return undefined;
  }
}
const salvageOf = ({ name }: WithheldCall, tools: Tools): Salvage<unknown> | undefined =>
  tools.get(name ?? "")?.salvage;

function read(salvage: Salvage<unknown> | undefined, cut: PartialInput): object | undefined {
  const input = salvage?.input(cut);
  return typeof input === "object" && input !== null ? input : undefined;
}

/** The tools as they answer a call that one of them completed: with a word on that before their output. */
export function withNote(
  tools: Tools,
  { calls: [call] }: Turn,
  because: StopReason | undefined,
): Tools {
  const tool = call?.by === "loop" ? tools.get(call.name) : undefined;
  if (tool?.salvage === undefined) return tools;
  const { name, salvage } = tool;
  const incomplete = `Your call of ${name} was cut off${where(because)}: its arguments were incomplete`;
  const execute = async (...given: Parameters<Tool["execute"]>): Promise<ToolOutput> => {
    try {
      return noted(
        `${incomplete}. ${goOn(salvage)}`,
        name,
        await tool.execute(...given),
      ) as ToolOutput;
    } catch (cause) {
      throw new Error(
        `${described(cause)} (${incomplete}, and it was tried with what had arrived.)`,
        { cause },
      );
    }
  };
  return new Map([...tools, [name, { ...tool, execute }]]);
}

/** Nothing is known of a call that waited. */
const where = (because: StopReason | undefined): string => {
  if (because === undefined) return "";
  return because === "length" ? " at the output limit" : " when the connection was lost";
};

const goOn = ({ continueWith }: Salvage<unknown>): string =>
  `The tool ran with what had arrived, so the result may be only the first part. Continue with ${continueWith.join(" or ")} from the end of the text that you wrote: add only what is missing. Do not read it back, and do not write it again. If you have no plan for the rest, stop and say so.`;
