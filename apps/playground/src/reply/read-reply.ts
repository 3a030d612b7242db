import { createGate, type Preview, type Turn, toProviderError } from "@fullstop/core";
import type { SentRequest } from "@fullstop/core/adapter";
import { type ProtocolName, protocols } from "./protocols.ts";

/** Bytes that arrived, and the request that they answer. */
export interface Arrived {
  readonly protocol: ProtocolName;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly request: SentRequest;
}

/** What the real gate says about the bytes. */
export interface Judged {
  readonly turn: Turn;
  readonly previews: readonly Preview[];
  readonly natives: readonly unknown[];
}

/** Reads the bytes as an adapter does, and ends the reply behind them. */
export async function readReply({ protocol, bytes, request }: Arrived): Promise<Judged> {
  const { reader, open } = protocols[protocol];
  // The page may not know the cap of a reply that was pasted.
  const { capRequired: _, ...withoutCap } = reader;
  const previews: Preview[] = [];
  const natives: unknown[] = [];
  const gate = createGate(withoutCap, request, { onPreview: (preview) => previews.push(preview) });
  try {
    for await (const batch of await open(new Response(bytes)))
      for (const native of batch) {
        natives.push(native);
        gate.push(native);
      }
  } catch (thrown) {
    gate.fail(toProviderError(thrown, reader));
  }
  return { turn: gate.end(), previews, natives };
}
