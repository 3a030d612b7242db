import type { StopMeaning } from "./reading.ts";
import type { Facts } from "./settle.ts";

/** The findings of a reader. Only the first flaw and the first doubt are kept. */
export interface Notes {
  flaw?: string;
  /** A defect of the bytes themselves. */
  damage?: string;
  doubt?: string;
  ambiguous?: true;
  readonly stops: StopMeaning[];
  output?: number | undefined;
}
export const createNotes = (): Notes => ({ stops: [] });

/** Records a proof that the reply is invalid, if `holds`. */
export const noteFlaw = (notes: Notes, what: string, holds = true): void => {
  if (holds) notes.flaw ??= what;
};
/** Records a question that the rules of the protocol leave open. */
export const noteDoubt = (notes: Notes, what: string, holds = true): void => {
  if (holds) notes.doubt ??= what;
};
/**
 * A flaw in compared or joined texts. It is only a doubt if the calls are ambiguous, because the
 * reader may have joined them wrongly.
 */
export const noteSuspicion = (notes: Notes, what: string, holds = true): void =>
  (notes.ambiguous ? noteDoubt : noteFlaw)(notes, what, holds);
/** The reader cannot separate the calls or their inputs with certainty. */
export const noteAmbiguity = (notes: Notes, what: string, holds = true): void => {
  noteDoubt(notes, what, holds);
  if (holds) notes.ambiguous = true;
};

/** Records damage of the bytes. `isOver`: the end of the protocol came before it. */
export function noteDamage(
  notes: Notes,
  { damage, reset }: { damage: string; reset: boolean },
  isOver: boolean,
): void {
  if (damage === "before") notes.damage ??= "an unreadable event";
  if (damage === "last" && !isOver) notes.damage ??= "a cut last event";
  noteDoubt(notes, "a cut last event", damage === "last" && isOver);
  if (reset && !isOver) notes.damage ??= "the connection was lost";
}

export const factsOf = ({
  damage,
  flaw: found,
  doubt: open,
  ambiguous,
  stops,
  output,
}: Notes): Noted => ({
  flaw: damage ?? found,
  doubt: open,
  ambiguous,
  stops,
  output,
  orderly: found === undefined && open === undefined,
});
type Noted = Pick<Facts, "flaw" | "doubt" | "ambiguous" | "stops" | "output" | "orderly">;
