import {
  type Answer,
  type Frames,
  type HttpFailure,
  inProcess,
  type Received,
  type Wire,
} from "@fullstop/conformance";
import { answerEvents } from "@fullstop/conformance/server";
import type { Endpoint } from "@fullstop/core";

/** A fault on the way of a reply. */
export type Fault =
  | { readonly kind: "none" | "no-end" | "stray" }
  /** The connection ends after this part of the bytes; `reset` ends it with an error. */
  | { readonly kind: "cut" | "reset"; readonly part: number };

const encoder = new TextEncoder();

/**
 * The frames as a server of the wire sends them. A `stray` fault puts the first of its errors in the
 * middle.
 */
export function answerWith(
  { upToTerminal, after = [] }: Frames,
  fault: Fault,
  wire: Pick<Wire, "framing" | "errors">,
): Answer {
  const frames = fault.kind === "no-end" ? upToTerminal.slice(0, -1) : [...upToTerminal, ...after];
  const middle = Math.floor(frames.length / 2);
  const stray = fault.kind === "stray" ? (wire.errors?.[0]?.frame ?? "{") : undefined;
  const events = stray === undefined ? frames : frames.toSpliced(middle, 0, stray);
  const { headers, chunks } = answerEvents(wire, events);
  if (fault.kind !== "cut" && fault.kind !== "reset") return { headers, chunks };
  const whole = Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
  const upTo = whole.slice(0, Math.floor(whole.length * fault.part));
  return { headers, chunks: [upTo], ...(fault.kind === "reset" && { fault: "reset" }) };
}

export const failureAnswer = ({ status, headers, body }: HttpFailure): Answer => ({
  status,
  headers: { ...headers, "content-type": "application/json" },
  chunks: [encoder.encode(body)],
});

export interface Provider {
  readonly endpoint: Endpoint;
  /** The broken rules of the vendor, each with the number of the request. */
  readonly violations: readonly string[];
  readonly bodies: readonly string[];
}

/** A provider in this process. It checks each request against the rules of its vendor. */
export function startProvider(wire: Wire, answer: (request: number) => Answer): Provider {
  const host = inProcess();
  const violations: string[] = [];
  const bodies: string[] = [];
  host.answer(({ body, path }: Received, request) => {
    bodies.push(body);
    violations.push(
      ...wire
        .violations(JSON.parse(body), { path })
        .map(({ message }) => `request ${request + 1}: ${message}`),
    );
    return answer(request);
  });
  return { endpoint: host.endpoint, violations, bodies };
}
