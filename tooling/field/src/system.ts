import type { Language } from "./toolchains/table.ts";

/** A system that runs tool calls, and the program that drives it. */
export interface System {
  /** For `--only`; it also says where the program is (`driverFolder`). */
  readonly name: string;
  readonly title: string;
  readonly language: Language;
  /** The package whose version is reported; absent if the system has none. */
  readonly package?: string;
  /** A note for the reader of the report. */
  readonly note?: string;
  /** The command that starts it in its folder; by default that of its language. */
  readonly start?: readonly string[];
  /**
   * Whether its loop is not the library's, but a sample: of its documents, or written for this
   * measurement. Such a loop is not asked how it recovers.
   */
  readonly isSampleLoop?: boolean;
  /** The tool whose call ends a run, if a text does not. */
  readonly finalTool?: string | undefined;
  /** The measured configurations, and the arguments that select them. */
  readonly ways: Readonly<Record<string, readonly string[]>>;
}

/** A system of a list in one language. */
export type Driven = Omit<System, "language">;
/** One whose folder has the name of its package, unless it says another one. */
export type Folder = Omit<Driven, "name">;

/** What a driver is called with for each protocol. */
const protocolWords = {
  Responses: "responses",
  Chat: "chat",
  Anthropic: "anthropic",
  Gemini: "gemini",
} as const;
type Protocol = keyof typeof protocolWords;

/** The forms of a reply: the first is what a driver does without a further word. */
export const streamedFirst = ["streamed", "whole"] as const;
export const wholeFirst = ["whole", "streamed"] as const;

/**
 * Both forms of a reply in each protocol. The first form is what a driver does without a further
 * word, and the other one is that word.
 */
export const inBothForms = (
  forms: readonly [first: string, other: string],
  protocols: readonly Protocol[],
): System["ways"] =>
  Object.fromEntries(
    protocols.flatMap((protocol) => {
      const word = protocolWords[protocol];
      const [first, other] = forms;
      return [
        [`${protocol}, ${first}`, [word]],
        [`${protocol}, ${other}`, [word, other]],
      ];
    }),
  );
