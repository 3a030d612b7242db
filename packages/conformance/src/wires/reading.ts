import type { AssembledCall, ClientReading } from "../client.ts";

/** A reading that grows with each event. */
export interface GrowingReading extends ClientReading {
  readonly callParts: string[];
  readonly calls: (AssembledCall & { input: string; name: string })[];
  stop?: string | undefined;
  failed: boolean;
  ended: boolean;
  readonly flaws: string[];
}

export const createReading = (): GrowingReading => ({
  callParts: [],
  calls: [],
  failed: false,
  ended: false,
  flaws: [],
});
