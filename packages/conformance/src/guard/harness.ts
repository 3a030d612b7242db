import { readTurn, type Turn } from "@fullstop/core";
import type { Effort } from "../harness/bytes.ts";
import { allExchangesOf } from "../harness/check.ts";
import { defaultRequest } from "../harness/harness.ts";
import { type Answer, inProcess } from "../harness/host.ts";
import type { AdapterSubject } from "../subject.ts";
import type { Fixture, Wire } from "../wire.ts";
import { drain, type LeftReading, type LeftReply, readLeft } from "./left-reply.ts";

/** A guard that is ready to be asked. */
export interface GuardHarness extends Effort {
  readonly wire: Wire;
  /** Every reply of the wire: those that it makes, and its fixtures. */
  readonly replies: readonly Fixture[];
  /** Sends a request through a new guard. `onText` gets all that has left, again for each piece. */
  pass(answer: Answer, onText?: (text: string) => void): Promise<LeftReply>;
  /** What a naive client makes of a text that left the guard. */
  readLeft(text: string): LeftReading;
  /** The turn that the adapter reads without the guard. */
  readUnguarded(answer: Answer): Promise<Turn>;
}

type FetchArguments = Parameters<typeof globalThis.fetch>;

/** The request that the adapter sends, so that it can be sent again without the adapter. */
async function requestOf({ adapter, read = readTurn }: AdapterSubject): Promise<FetchArguments> {
  const { endpoint } = inProcess();
  let sent: FetchArguments | undefined;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { url, method, headers } = request;
    sent = [url, { method, headers, body: await request.text() }];
    return new Response(null, { status: 503 });
  };
  await read(adapter({ ...endpoint, fetch }), defaultRequest);
  if (sent === undefined) throw new Error("The adapter sent no request through its `fetch`.");
  return sent;
}

export function createGuardHarness(
  subject: AdapterSubject,
  { exhaustive, sample }: Effort,
): GuardHarness {
  const { wire, adapter, guard = (fetch) => fetch, read = readTurn } = subject;
  const host = inProcess();
  const { fetch = globalThis.fetch } = host.endpoint;
  const unguarded = adapter(host.endpoint);
  let request: Promise<FetchArguments> | undefined;
  return {
    wire,
    exhaustive,
    sample,
    replies: allExchangesOf(wire, { exhaustive, sample }),
    pass: async (answer, onText) => {
      request ??= requestOf(subject);
      const sent = await request;
      host.answer(answer);
      return drain(await guard(fetch)(...sent), onText);
    },
    readLeft: (text) => readLeft(wire, text),
    readUnguarded: (answer) => {
      host.answer(answer);
      return read(unguarded, defaultRequest);
    },
  };
}
