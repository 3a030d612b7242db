import { type CutInput, type StopReason, salvageTurn, type ToolUseTurn, type Turn, type WithheldCall } from "@fullstop/core";
import { type Answer, isLastTurn } from "./move.ts";
import { described } from "./output.ts";
import type { State } from "./state.ts";
import type { Salvage, Tool, ToolOutput } from "./tool.ts";

type Tools = ReadonlyMap<string, Tool>;

/** The last remedy of a cut reply: the tool of its one call makes a complete input of what arrived. A reply that arrived damaged may have holes. */
export function afterRemedies(turn: Turn, state: State): Answer | undefined {
  const [held] = turn.withheld;
  if (held === undefined || held.why === "malformed-frame" || isLastTurn(state)) return undefined;
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
const salvageOf = ({ name }: WithheldCall, tools: Tools): Salvage<unknown> | undefined => tools.get(name ?? "")?.salvage;

function read(salvage: Salvage<unknown> | undefined, cut: CutInput): object | undefined {
  const input = salvage?.input(cut);
  return typeof input === "object" && input !== null ? input : undefined;
}

/** The tools as they answer a call that one of them completed: with a word on that before their output. */
export function withNote(tools: Tools, { calls: [call] }: Turn, because: StopReason | undefined): Tools {
  const tool = call?.by === "loop" ? tools.get(call.name) : undefined;
  if (tool?.salvage === undefined) return tools;
  const { name, salvage } = tool;
  const incomplete = `Your call of ${name} was cut off${where(because)}: its arguments were incomplete`;
  const execute = async (...given: Parameters<Tool["execute"]>): Promise<ToolOutput> => {
    try {
      return noted(`${incomplete}. ${goOn(salvage)}`, await tool.execute(...given));
    } catch (cause) {
      throw new Error(`${described(cause)} (${incomplete}, and it was tried with what had arrived.)`, { cause });
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
  `What had arrived of them was completed and carried out, so the result may be only the first part. Continue with ${continueWith.join(" or ")}, from the text that you wrote yourself: add only what is missing. Do not read it back, and do not write it again. If you have no plan for the rest, stop and say so.`;

const noted = (note: string, output: ToolOutput): ToolOutput => (typeof output === "string" ? `${note}\n\n${output}` : { note, output });
