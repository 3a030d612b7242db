import { type Adapter, readTurn } from "@fullstop/core";
import { applyDamage, changeBytes, cutBytes } from "./apply-damage.ts";
import { type Layout, respond } from "./bytes.ts";
import type { Damage } from "./damage.ts";
import { changedCalls, judge, type Violation } from "./judge.ts";
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
  /** What became of its calls. Absent if reading it threw. */
  readonly calls?: {
    readonly issued: number;
    readonly withheld: number;
    /** Issued calls that the generator did not write. */
    readonly changed: number;
  };
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

export const responseOf = (
  { written, layout }: Sent,
  { framing }: Protocol,
  { bytes, reset }: ArrivedBody,
): Response =>
  respond(bytes, {
    chunks: layout.chunks,
    type: written.whole ? "application/json" : framing.type,
    reset,
  });

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
      const { written, damages } = sent;
      const { bytes, reset } = transmit(sent, protocol);
      const adapter = adapters.get(written.host);
      if (adapter === undefined)
        throw new Error(`There is no adapter for the host ${written.host}.`);
      const reading = protocol.read(protocol.framing.parse(bytes, reset), written.host);
      response = responseOf(sent, protocol, { bytes, reset });
      try {
        const turn = await readTurn(adapter, request);
        const one = { turn, truth: written.truth, reading, damages };
        const calls = {
          issued: turn.calls.length,
          withheld: turn.withheld.length,
          changed: changedCalls(one).length,
        };
        return { reading, calls, broken: judge(one) };
      } catch (thrown) {
        const actual = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
        return { reading, broken: { property: "settles", expected: "a turn", actual } };
      }
    },
  };
}
