import { isTextOrNone, nonBlank } from "./json.ts";
import type { StopMeaning } from "./reading.ts";
import type { Facts } from "./settle.ts";

/** The findings of a reader. Only the first flaw and the first doubt are kept. */
export class Notes {
  readonly stops: StopMeaning[] = [];
  output: number | undefined;
  #flaw: string | undefined;
  #doubt: string | undefined;
  /** A defect of the bytes themselves. */
  #damage: string | undefined;
  #isAmbiguous = false;

  /** Records a proof that the reply is invalid, if `holds`. */
  flaw(what: string, holds = true): void {
    if (holds) this.#flaw ??= what;
  }

  /** Records a question that the rules of the protocol leave open. */
  doubt(what: string, holds = true): void {
    if (holds) this.#doubt ??= what;
  }

  /**
   * A flaw in compared or joined texts. It is only a doubt if the calls are ambiguous, because the
   * reader may have joined them wrongly.
   */
  suspicion(what: string, holds = true): void {
    this[this.#isAmbiguous ? "doubt" : "flaw"](what, holds);
  }

  /** The reader cannot separate the calls or their inputs with certainty. */
  ambiguity(what: string, holds = true): void {
    this.doubt(what, holds);
    this.#isAmbiguous ||= holds;
  }

  /** A word under the name of another protocol: only a cut counts. `ended`: the own word came. */
  secondWord(word: unknown, ended = true): void {
    if (word !== "length") return;
    this.stops.push("length");
    this.doubt("a second stop word without the first", !ended);
  }

  /** The name and the id of a call. Hosts send blank texts in place of them. */
  named(name: unknown, id: unknown): { name: string | undefined; id: string | undefined } {
    this.ambiguity("a name that is not a string", !isTextOrNone(name));
    this.doubt("an id that is not a string", !isTextOrNone(id));
    return { name: nonBlank(name), id: nonBlank(id) };
  }

  /** The input of a call: what its start says, or its pieces. */
  inputOf(given: string, pieces: readonly string[]): string {
    const joined = pieces.join("");
    const isBoth = joined !== "" && given !== "" && given !== "{}";
    this.ambiguity("an input both complete and in pieces", isBoth);
    return joined === "" ? given : joined;
  }

  /** Records damage of the bytes. `isOver`: the end of the protocol came before it. */
  damage({ damage, reset }: { damage: string; reset: boolean }, isOver: boolean): void {
    if (damage === "before") this.#damage ??= "an unreadable event";
    if (damage === "last" && !isOver) this.#damage ??= "a cut last event";
    this.doubt("a cut last event", damage === "last" && isOver);
    if (reset && !isOver) this.#damage ??= "the connection was lost";
  }

  facts(): Pick<Facts, "flaw" | "doubt" | "ambiguous" | "stops" | "output" | "orderly"> {
    return {
      flaw: this.#damage ?? this.#flaw,
      doubt: this.#doubt,
      ambiguous: this.#isAmbiguous,
      stops: this.stops,
      output: this.output,
      orderly: this.#flaw === undefined && this.#doubt === undefined,
    };
  }
}
