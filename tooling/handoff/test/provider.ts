import {
  type Answer,
  type Frames,
  type HttpFailure,
  inProcess,
  type Received,
  type Wire,
} from "@fullstop/conformance";
import type { Endpoint } from "@fullstop/core";

/** What becomes of a reply on its way. */
export type Fault =
  | { readonly kind: "none" | "no-end" | "stray" }
  /** After this part of its bytes the connection ends, with or without an error. */
  | { readonly kind: "cut" | "reset"; readonly part: number };

const encoder = new TextEncoder();
const sse = (payload: string): Uint8Array<ArrayBuffer> => encoder.encode(`data: ${payload}\n\n`);

/** The frames as a server sends them; `errors` are those that it may put in the middle. */
export function sent(
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

export const failed = ({ status, headers, body }: HttpFailure): Answer => ({
  status,
  headers: { ...headers, "content-type": "application/json" },
  chunks: [encoder.encode(body)],
});

export interface Provider {
  readonly endpoint: Endpoint;
  /** The vendor's rules that requests broke, each with the request's number. */
  readonly violations: readonly string[];
  readonly bodies: readonly string[];
}

/** A provider in this process, which holds each request against its own rules. */
export function provider(wire: Wire, answer: (n: number) => Answer): Provider {
  const host = inProcess();
  const violations: string[] = [];
  const bodies: string[] = [];
  host.answer(({ body }: Received, n) => {
    bodies.push(body);
    violations.push(
      ...wire.violations(JSON.parse(body)).map((rule) => `request ${n + 1}: ${rule}`),
    );
    return answer(n);
  });
  return { endpoint: host.endpoint, violations, bodies };
}
