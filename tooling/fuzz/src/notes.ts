import type { StopMeaning } from "./reading.ts";
import type { Facts } from "./settle.ts";

/** What a reader finds while it reads: the first flaw and the first doubt count. */
export interface Notes {
  flaw?: string;
  /** What is wrong with the bytes themselves. */
  damage?: string;
  doubt?: string;
  ambiguous?: true;
  readonly stops: StopMeaning[];
  output?: number | undefined;
}
export const createNotes = (): Notes => ({ stops: [] });

/** Notes a proof that the reply is not sound, if it holds. */
export const noteFlaw = (notes: Notes, what: string, holds = true): void => {
  if (holds) notes.flaw ??= what;
};
/** Notes what the rules leave open. */
export const noteDoubt = (notes: Notes, what: string, holds = true): void => {
  if (holds) notes.doubt ??= what;
};
/** A flaw of what is compared or joined; where the reader cannot tell its calls apart, it may be the reader's own. */
export const noteSuspicion = (notes: Notes, what: string, holds = true): void =>
  (notes.ambiguous ? noteDoubt : noteFlaw)(notes, what, holds);
/** The calls cannot be told apart for certain, or what is written for them. */
export const noteAmbiguity = (notes: Notes, what: string, holds = true): void => {
  noteDoubt(notes, what, holds);
  if (holds) notes.ambiguous = true;
};

/** What every reader says of damaged bytes. `isOver`: the protocol's own end came before. */
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
