import type { Frames, Wire } from "@fullstop/conformance";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";

export type Fields = Readonly<Record<string, unknown>>;
export type WireEvent = Fields & { readonly type: string };

/** How a host of the Responses API sends the same reply differently. */
export interface HostDifferences
  extends Partial<Pick<Wire, "errors" | "failures" | "nativeStops" | "violations">> {
  /** The response object, in an event or as the body. */
  response?(response: Fields): Fields;
  /** The events, with their responses already changed. */
  events?(events: readonly WireEvent[]): readonly WireEvent[];
  /** What follows the last event. */
  readonly after?: readonly string[];
}

/** The wire of a host, without fixtures: those of the protocol are proven once. */
export function hostWire(name: string, differences: HostDifferences): Wire {
  const {
    response = (one) => one,
    events = (all) => all,
    after,
    nativeStops = openaiResponsesWire.nativeStops,
    ...others
  } = differences;
  const { fixtures: _, unlistedStops: __, ...base } = openaiResponsesWire;
  const rewrite = ({ upToTerminal }: Frames): Frames => {
    const parsed = upToTerminal.map((frame) => JSON.parse(frame) as WireEvent);
    const changed = parsed.map((event) =>
      "response" in event ? { ...event, response: response(fieldsOf(event["response"])) } : event,
    );
    const frames = events(changed).map((event) => JSON.stringify(event));
    return { upToTerminal: frames, ...(after && { after }) };
  };
  return {
    ...base,
    ...others,
    name: `${base.name}, ${name}`,
    nativeStops,
    frames: (reply) => rewrite(base.frames(reply)),
    unclosed: (reply) => rewrite(base.unclosed?.(reply) ?? base.frames(reply)),
    whole: (reply) => JSON.stringify(response(JSON.parse(base.whole?.(reply) ?? "{}") as Fields)),
  };
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
/** The members of a value; none if it is not an object. */
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
/** The items of a request. */
export const inputOf = (body: unknown): readonly Fields[] => {
  const { input } = fieldsOf(body);
  return Array.isArray(input) ? input.filter(isFields) : [];
};
