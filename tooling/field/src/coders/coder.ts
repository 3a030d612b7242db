import type { wires } from "@fullstop/conformance/wires";
import type { Action } from "./action.ts";

/** Where an agent starts. */
export interface Setting {
  /** The base URL of the provider, without a slash at its end. */
  readonly server: string;
  /** Its home folder, which is empty. */
  readonly home: string;
  /** The folder in which it works. */
  readonly folder: string;
  /** The path of an installed program. */
  program(name: string): string;
}

/** How an agent is started. */
export interface Launch {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files by their paths in the home folder. */
  readonly files?: Readonly<Record<string, string>>;
}

/** One protocol of an agent, and one of its tools. */
export interface CoderWay {
  /** None of the agents speaks Interactions. */
  readonly wire: Exclude<keyof typeof wires, "gemini-interactions">;
  readonly action: Action;
  /** A call that ends the run, for an agent that does not end with a text. */
  readonly final?: Action;
  launch(setting: Setting): Launch;
}

/** Where the package of an agent comes from. */
export type Origin =
  | { readonly npm: string; readonly version: string }
  | {
      readonly pypi: string;
      readonly version: string;
      /** The interpreters to try, in order. */
      readonly interpreters: readonly string[];
      readonly extra?: readonly string[];
    };

/** A finished coding agent. */
export interface Coder {
  readonly name: string;
  readonly title: string;
  readonly origin: Origin;
  /** What else a reader must know. */
  readonly note?: string;
  readonly ways: Readonly<Record<string, CoderWay>>;
}

/** What every agent is asked to do. */
export const prompt = "Write the file ran.txt as the model says.";
/** A key for the provider on the loopback. */
export const key = "not-a-key";
