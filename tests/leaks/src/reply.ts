/** A reply that ends in a call which the model wrote as text. */
export interface LeakedReply {
  /** A public thread that shows this form. The content of the reply is our own. */
  readonly thread: string;
  readonly text?: string;
  readonly thinking?: string;
  /** The output cap cut the reply. */
  readonly cut?: true;
}
export const said = (thread: string, text: string): LeakedReply => ({ thread, text });
export const cut = (thread: string, text: string): LeakedReply => ({ thread, text, cut: true });
export const thought = (thread: string, thinking: string): LeakedReply => ({ thread, thinking });
