import type { Meaning } from "./reading.ts";
import type { Facts } from "./settle.ts";

/** What a reader finds while it reads: the first flaw and the first doubt count. */
export interface Notes {
  flaw?: string;
  /** What is wrong with the bytes themselves. */
  damage?: string;
  doubt?: string;
  blurred?: true;
  readonly words: Meaning[];
  output?: number | undefined;
}
export const createNotes = (): Notes => ({ words: [] });

/** Notes a proof that the reply is not sound, if it holds. */
export const flaw = (notes: Notes, what: string, holds = true): void => {
  if (holds) notes.flaw ??= what;
};
/** Notes what the rules leave open. */
export const doubt = (notes: Notes, what: string, holds = true): void => {
  if (holds) notes.doubt ??= what;
};
/** A flaw of what is compared or joined; where the reader cannot tell its calls apart, it may be the reader's own. */
export const suspect = (notes: Notes, what: string, holds = true): void =>
  (notes.blurred ? doubt : flaw)(notes, what, holds);
/** The calls cannot be told apart for certain, or what is written for them. */
export const blur = (notes: Notes, what: string, holds = true): void => {
  doubt(notes, what, holds);
  if (holds) notes.blurred = true;
};

/** What every reader says of damaged bytes. `isOver`: the protocol's own end came before. */
export function noteDamage(
  notes: Notes,
  { damage, reset }: { damage: string; reset: boolean },
  isOver: boolean,
): void {
  if (damage === "before") notes.damage ??= "an event of it cannot be read";
  if (damage === "last" && !isOver) notes.damage ??= "its last event is cut";
  doubt(notes, "its last event is cut", damage === "last" && isOver);
  if (reset && !isOver) notes.damage ??= "the connection was lost";
}

export const factsOf = ({
  damage,
  flaw: found,
  doubt: open,
  blurred,
  words,
  output,
}: Notes): Noted => ({
  flaw: damage ?? found,
  doubt: open,
  blurred,
  words,
  output,
  orderly: found === undefined && open === undefined,
});
type Noted = Pick<Facts, "flaw" | "doubt" | "blurred" | "words" | "output" | "orderly">;
