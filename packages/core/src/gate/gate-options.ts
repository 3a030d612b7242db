import type { Preview } from "../contract/event.ts";
import { findFlaw } from "../options/find-flaw.ts";
import { abortSignal, anyFunction, type OptionKinds, positiveInteger } from "../options/kinds.ts";

/** What can stop a reply, and who watches it. */
export interface GateOptions {
  /** If it has aborted before `end`, no call of the reply may run. */
  readonly signal?: AbortSignal | undefined;
  /** Called for each preview while the reply arrives. If it throws, `push` throws the same. */
  readonly onPreview?: ((preview: Preview) => void) | undefined;
  /**
   * The largest number of characters of one text or input. A longer one ends the reply with the
   * error `too-large`. Default: 16 Mi.
   */
  readonly maxTextLength?: number | undefined;
}
export const gateKinds: OptionKinds<Required<GateOptions>> = {
  signal: abortSignal,
  onPreview: anyFunction,
  maxTextLength: positiveInteger,
};

/** A program that wants only the gate does not load the spelling help of `checkOptions`. */
export function checkGateOptions<Options extends object>(
  options: Options,
  kinds: OptionKinds<Required<Options>>,
): void {
  const flaw = findFlaw(options, kinds);
  if (flaw === undefined) return;
  const { name, kind } = flaw;
  throw new TypeError(
    kind === undefined
      ? `Unknown option \`${name}\` of \`createGate\`. The options are: ${Object.keys(kinds).join(", ")}.`
      : `\`${name}\` of \`createGate\` must be ${kind.expected}.`,
  );
}
