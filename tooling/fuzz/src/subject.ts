import { type Adapter, readTurn, type Turn } from "@fullstop/core";
import { applyDamage, changeBytes, cutBytes } from "./apply-damage.ts";
import { type Layout, respond } from "./bytes.ts";
import type { Damage } from "./damage.ts";
import { judge, type Violation } from "./judge.ts";
import type { GeneratedReply, Protocol } from "./protocol.ts";
import type { Reading } from "./reading.ts";
import { request } from "./tools.ts";

/** A generated reply, its byte layout, and the damage on its way. */
export interface Sent {
  readonly written: GeneratedReply;
  readonly layout: Layout;
  readonly damages: readonly Damage[];
}
export interface ArrivedBody {
  readonly bytes: Uint8Array;
  readonly reset: boolean;
}
/** The result for one reply. */
export interface Outcome {
  readonly reading: Reading;
  readonly turn: Turn | undefined;
  readonly broken: Violation | undefined;
}
/** Reads replies with the real adapters of a protocol. */
export interface Subject {
  ask(sent: Sent): Promise<Outcome>;
}

export function transmit(
  { written: { frames, whole }, layout, damages }: Sent,
  protocol: Protocol,
): ArrivedBody {
  let left = frames;
  for (const damage of damages) left = applyDamage(left, damage, protocol.dialect);
  const bytes = whole
    ? new TextEncoder().encode(left[0]?.data)
    : changeBytes(protocol.framing.encode(left, layout), damages);
  return cutBytes(bytes, damages);
}

/** `alter` breaks the adapters for a test of the fuzzer. */
export function createSubject(
  protocol: Protocol,
  alter: (adapter: Adapter) => Adapter = (adapter) => adapter,
): Subject {
  let response: Response | undefined;
  const fetch = async (): Promise<Response> => {
    if (response === undefined) throw new Error("a second request");
    return response;
  };
  const adapters = new Map(
    Object.entries(protocol.adapters(fetch)).map(([host, adapter]) => [host, alter(adapter)]),
  );
  return {
    async ask(sent) {
      const { written, layout, damages } = sent;
      const { bytes, reset } = transmit(sent, protocol);
      const adapter = adapters.get(written.host);
      if (adapter === undefined)
        throw new Error(`There is no adapter for the host ${written.host}.`);
      const reading = protocol.read(protocol.framing.parse(bytes, reset), written.host);
      response = respond(bytes, {
        chunks: layout.chunks,
        type: written.whole ? "application/json" : protocol.framing.type,
        reset,
      });
      try {
        const turn = await readTurn(adapter, request);
        return { reading, turn, broken: judge({ turn, truth: written.truth, reading, damages }) };
      } catch (thrown) {
        const actual = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
        return {
          reading,
          turn: undefined,
          broken: { property: "settles", expected: "a turn", actual },
        };
      }
    },
  };
}
