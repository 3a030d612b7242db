import { sameInput } from "./equal-inputs.ts";

/** All that a reply says of one input: pieces, and then the whole up to three times. A blank text takes nothing back. */
export interface Said {
  piece(text: string): void;
  whole(text: string): void;
  /** The text that counts; nothing where the pieces do. */
  final(): string | undefined;
  /** Is a whole text the one that came? A blank one is any. */
  says(text: string): boolean;
  /** Did a text come that is not blank, in pieces or whole? */
  hasText(): boolean;
  /** Did a whole text come, blank or not? */
  isSaid(): boolean;
}

const isBlank = (text: string): boolean => !/\S/.test(text);

/** `differs` is called once, where two of the texts are not the same input. */
export function createSaid(kind: "text" | undefined, differs: () => void): Said {
  let late = "";
  let joined = "";
  let blank: string | undefined;
  let whole: string | undefined;
  let apart = false;
  const part = (): void => {
    if (!apart) differs();
    apart = true;
  };
  return {
    piece(text) {
      if (whole !== undefined) return part();
      late += text;
      if (late.length < longEnough) return;
      // Engines only link what `+=` adds; they join it when it is sliced.
      joined += late.slice(0, -1);
      late = late.slice(-1);
    },
    whole(text) {
      if (isBlank(text)) {
        blank ??= text;
        return;
      }
      const before = whole ?? joined + late;
      if (!apart && !isBlank(before) && !sameInput(before, text, kind)) part();
      whole = text;
    },
    final: () => whole ?? (joined + late === "" ? blank : undefined),
    says: (text) => isBlank(text) || sameInput(whole ?? joined + late, text, kind),
    hasText: () => whole !== undefined || !isBlank(joined + late),
    isSaid: () => (whole ?? blank) !== undefined,
  };
}
const longEnough = 4096;
