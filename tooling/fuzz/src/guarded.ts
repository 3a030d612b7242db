import { readTurn } from "@fullstop/core";
import type { guard as guardOfFetch } from "@fullstop/guard";
import { describeReading, inputsOf, type Property, type Violation } from "./judge.ts";
import type { Protocol } from "./protocol.ts";
import type { Reading } from "./reading.ts";
import type { Received } from "./received.ts";
import { type ArrivedBody, responseOf, type Subject, transmit } from "./subject.ts";
import { request } from "./tools.ts";

/** What `guard()` passes on, as a client reads it that runs each call in the bytes. */
export async function createGuardedSubject(
  protocol: Protocol,
  guard: typeof guardOfFetch,
): Promise<Subject> {
  let response = new Response();
  const guarded = guard(async () => response);
  const requests = await captureRequests(protocol);
  return {
    async ask(sent) {
      const { host } = sent.written;
      const parse = ({ bytes, reset }: ArrivedBody): Received =>
        protocol.framing.parse(bytes, reset);
      const arrived = transmit(sent, protocol);
      response = responseOf(sent, protocol, arrived);
      const answer = await guarded(...(requests.get(host) ?? [""]));
      const passed = protocol.read(parse(await readBody(answer)), host);
      const reading = readGuarded(protocol, parse(arrived), host);
      const issued = passed.calls.length;
      return {
        reading,
        calls: { issued, withheld: reading.calls.length - issued, changed: 0 },
        broken: judgePassed(reading, passed),
      };
    },
  };
}

type FetchArguments = Parameters<typeof globalThis.fetch>;

/** The request that the adapter of each host sends. */
async function captureRequests(protocol: Protocol): Promise<ReadonlyMap<string, FetchArguments>> {
  let sent: FetchArguments | undefined;
  const adapters = protocol.adapters(async (...call) => {
    const { url, method, headers, body } = new Request(...call);
    sent = [url, { method, headers, body: await new Response(body).text() }];
    return new Response("{}", { status: 400 });
  });
  const requests = new Map<string, FetchArguments>();
  for (const [host, adapter] of Object.entries(adapters)) {
    await readTurn(adapter, request);
    if (sent !== undefined) requests.set(host, sent);
  }
  return requests;
}

async function readBody({ body }: Response): Promise<ArrivedBody> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body ?? []) chunks.push(chunk);
    return { bytes: Buffer.concat(chunks), reset: false };
  } catch {
    return { bytes: Buffer.concat(chunks), reset: true };
  }
}

/**
 * The guard cannot take back what it let go at the protocol's own end. If more came behind this end
 * and says something else, the guard may have seen it or not.
 */
export function readGuarded(protocol: Protocol, received: Received, host: string): Reading {
  const reading = protocol.read(received, host);
  const end = received.events.findIndex((event) => protocol.guarded?.isEnd?.(event));
  if (received.whole || end < 0) return reading;
  const events = received.events.slice(0, end + 1);
  const atEnd = protocol.read({ ...received, events, damage: "none", reset: false }, host);
  return atEnd.verdict === reading.verdict ? reading : { ...atEnd, verdict: "undecided" };
}

function judgePassed(reading: Reading, passed: Reading): Violation | undefined {
  const property = violated(reading, passed);
  return (
    property && {
      property,
      expected: describeReading(reading),
      actual: describeReading(passed),
    }
  );
}

function violated(reading: Reading, passed: Reading): Property | undefined {
  const { verdict, sure } = reading;
  const isSame = inputsOf(reading) === inputsOf(passed);
  if (passed.calls.length > 0 && verdict === "unfinished") return "unfinished";
  if (passed.calls.length > 0 && sure && !isSame) return "lost";
  if (verdict !== "finished") return undefined;
  return isSame && passed.verdict !== "unfinished" ? undefined : "withheld";
}
