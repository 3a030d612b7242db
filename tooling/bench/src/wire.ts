import type { Wire } from "@fullstop/conformance";
import type { Adapter, Endpoint } from "@fullstop/core";

/** A protocol, and its adapter and vendor SDK. */
export interface BenchWire {
  readonly wire: Wire;
  adapter(endpoint: Endpoint): Adapter;
  /** The number of characters of text and tool input in one native event. */
  characters(event: unknown): number;
  /** The readers of the vendor's SDK. They send the body that our adapter sends. */
  vendor(baseURL: string): Vendor;
}
export interface Vendor {
  /** The raw iterator of events. */
  events(body: Body): Promise<AsyncIterable<unknown>>;
  /** The helper that assembles a message, if the SDK has one. */
  helper?(body: Body): Promise<number>;
}
/** A request body. Each protocol passes it to its SDK. */
export type Body = Readonly<Record<string, unknown>>;

export const model = "bench";
export const apiKey = "none";
export const lengthOf = (text: unknown): number => (typeof text === "string" ? text.length : 0);
