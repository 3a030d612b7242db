import { type DialectName, dialects } from "@fullstop/provider-openai-compatible/reply";
import type { HostFacts } from "../options.ts";

/** A host that has a name. */
export interface KnownHost {
  /** The base URL that the host documents. Without it, each user of the host has another. */
  readonly baseURL?: string;
  /** The dialect of its Chat Completions. Vendors of a protocol have none. */
  readonly dialect?: DialectName;
  /** What else is known about it, also if a proxy stands before it. */
  readonly facts?: HostFacts;
}

/** The vendors of Chat Completions never leave the stop reason out. */
const alwaysEnds: HostFacts = { doneEnds: false };

/** The vendors of the protocols, and all hosts that have a dialect. */
export const knownHosts: Readonly<Record<string, KnownHost>> = {
  anthropic: { baseURL: "https://api.anthropic.com" },
  google: { baseURL: "https://generativelanguage.googleapis.com" },
  mistral: { baseURL: "https://api.mistral.ai/v1", facts: alwaysEnds },
  openai: { baseURL: "https://api.openai.com/v1", facts: alwaysEnds },
  ...Object.fromEntries(
    Object.entries(dialects).map(([name, { baseURL }]) => [
      name,
      { dialect: name as DialectName, ...(baseURL !== undefined && { baseURL }) },
    ]),
  ),
};
