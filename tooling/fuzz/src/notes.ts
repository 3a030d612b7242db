import type { Meaning } from "./reading.ts";
import type { Facts } from "./settle.ts";

/** What a reader finds while it reads: the first flaw and the first doubt count. */
export interface Notes {
  flaw?: string;
  doubt?: string;
  blurred?: true;
  readonly words: Meaning[];
  output?: number | undefined;
}
export const createNotes = (): Notes => ({ words: [] });

export const flaw = (notes: Notes, what: string): void => {
  notes.flaw ??= what;
};
export const doubt = (notes: Notes, what: string): void => {
  notes.doubt ??= what;
};
/** A flaw of what is compared or joined; where the reader cannot tell its calls apart, it may be the reader's own. */
export const suspect = (notes: Notes, what: string): void => (notes.blurred ? doubt : flaw)(notes, what);
/** The calls cannot be told apart for certain, or what is written for them. */
export const blur = (notes: Notes, what: string): void => {
  doubt(notes, what);
  notes.blurred = true;
};

/** What every reader says of damaged bytes. `isOver`: the protocol's own end came before. */
export function noteDamage(notes: Notes, { damage, reset }: { damage: string; reset: boolean }, isOver: boolean): void {
  if (damage === "before") flaw(notes, "an event of it cannot be read");
  if (damage === "last") (isOver ? doubt : flaw)(notes, "its last event is cut");
  if (reset && !isOver) flaw(notes, "the connection was lost");
}

export const factsOf = ({ flaw: found, doubt: open, blurred, words, output }: Notes): Pick<Facts, "flaw" | "doubt" | "blurred" | "words" | "output"> => ({
  ...{ flaw: found, doubt: open, blurred, words, output },
});
