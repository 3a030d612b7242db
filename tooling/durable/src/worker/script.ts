import type { Say } from "@fullstop/provider-mock";

const call = (name: string, item: string, amount: number) => ({ name, input: { item, amount } });

/** The replies of the model. Each call has an item of its own. */
export const script: readonly (string | Say)[] = [
  { text: "I look first.", calls: [call("look", "view", 1)] },
  {
    text: "Three at a time.",
    calls: [call("put", "file", 1), call("charge", "card", 20), call("ship", "box", 1)],
  },
  { calls: [call("charge", "fee", 60)] },
  "Done.",
];

/** The tools that may be repeated. */
export const idempotentTools: ReadonlySet<string> = new Set(["look", "put", "store", "audit"]);

const turns = script.flatMap((say) =>
  typeof say === "string" || say.calls === undefined ? [] : [say.calls],
);
const itemOfInput = (input: object): string => ("item" in input ? String(input.item) : "");

/** The item of a call, by the numbers of its turn and of its position, which begin at 0. */
export function itemAt(turn: number, position: number): string {
  const found = turns[turn]?.[position];
  return found !== undefined && "input" in found ? itemOfInput(found.input) : `${turn}/${position}`;
}

/** The items of tools that may be repeated. */
export const idempotentItems: ReadonlySet<string> = new Set(
  turns
    .flat()
    .flatMap((each) =>
      idempotentTools.has(each.name) && "input" in each ? [itemOfInput(each.input)] : [],
    ),
);
/** Model replies and calls: the steps of a run. */
export const stepsOfRun: number = script.length + turns.flat().length;
/** How many points of the journal an undisturbed run has. */
export const pointsOfRun = 36;
