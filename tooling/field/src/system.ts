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
  /** The tool whose call ends a run, if a text does not. */
  readonly finalTool?: string | undefined;
  /** The measured configurations, and the arguments that select them. */
  readonly ways: Readonly<Record<string, readonly string[]>>;
}
