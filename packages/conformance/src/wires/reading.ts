import type { ClientReading } from "../client.ts";

export interface GrowingReading extends ClientReading {
  readonly callParts: string[];
  readonly calls: { name: string; input: string; isText?: boolean | undefined }[];
  stop?: string | undefined;
  failed: boolean;
  ended: boolean;
  readonly flaws: string[];
  isPartial?: boolean | undefined;
}

export const createReading = (): GrowingReading => ({
  callParts: [],
  calls: [],
  failed: false,
  ended: false,
  flaws: [],
});
