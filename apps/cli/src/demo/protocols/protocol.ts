import type { Wire } from "@fullstop/conformance";

export type Fields = Readonly<Record<string, unknown>>;
export const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value : []);

/** The way to the string that an event adds to the reply; events of other types add nothing. */
export interface Place {
  readonly type?: string;
  readonly at: readonly (string | number)[];
}

/** What a request says, whatever the protocol calls it. */
export interface Question {
  readonly cap: unknown;
  readonly streams: boolean;
  readonly messages: readonly Fields[];
}

/** What the demo's server knows of a protocol beside its wire. */
export interface Protocol {
  readonly wire: Wire;
  /** Of the ids that it gives to inputs. */
  readonly idPrefix: string;
  /** Where text comes in pieces; and inputs, unless they come whole. */
  readonly pieces: { readonly text: Place; readonly input?: Place };
  /** An event that says a whole input once more, with the input cut. */
  recut?(event: Fields, whole: string, cut: string): Fields;
  read(body: Fields): Question;
  /** Written by the model, not by its caller. */
  isModels(message: Fields): boolean;
  /** The body of an answer with status 400. */
  refusal(message: string): Fields;
}

export const comeWhole = ({ pieces }: Protocol): boolean => pieces.input === undefined;
