import {
  type Answer,
  type Frames,
  type HttpFailure,
  inProcess,
  type Received,
  type Wire,
} from "@fullstop/conformance";
import type { Endpoint } from "@fullstop/core";

/** A fault on the way of a reply. */
export type Fault =
  | { readonly kind: "none" | "no-end" | "stray" }
  /** The connection ends after this part of the bytes; `reset` ends it with an error. */
  | { readonly kind: "cut" | "reset"; readonly part: number };

const encoder = new TextEncoder();
const sse = (payload: string): Uint8Array<ArrayBuffer> => encoder.encode(`data: ${payload}\n\n`);

/** The frames as a server sends them. A `stray` fault puts the first of `errors` in the middle. */
export function answerWith(
  { upToTerminal, after = [] }: Frames,
  fault: Fault,
  errors: Wire["errors"] = [],
): Answer {
  const frames = fault.kind === "no-end" ? upToTerminal.slice(0, -1) : [...upToTerminal, ...after];
  const middle = Math.floor(frames.length / 2);
  const stray = fault.kind === "stray" ? (errors[0]?.frame ?? "{") : undefined;
  const bytes = (stray === undefined ? frames : frames.toSpliced(middle, 0, stray)).map(sse);
  if (fault.kind !== "cut" && fault.kind !== "reset") return { chunks: bytes };
  const whole = encoder.encode(bytes.map((chunk) => new TextDecoder().decode(chunk)).join(""));
  const upTo = whole.slice(0, Math.floor(whole.length * fault.part));
  return { chunks: [upTo], ...(fault.kind === "reset" && { fault: "reset" }) };
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
