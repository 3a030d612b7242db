import type { Wire } from "@fullstop/conformance";
import type { Adapter, Endpoint } from "@fullstop/core";

/** A protocol, and what is compared on it. A reader says how many characters of text and tool input it found. */
export interface BenchWire {
  readonly wire: Wire;
  adapter(endpoint: Endpoint): Adapter;
  /** Characters in one native event. */
  characters(event: unknown): number;
  /** Ways of the vendor's SDK, with the body that our adapter sends. A program makes its client once. */
  vendor(baseURL: string): Vendor;
}
export interface Vendor {
  /** Its raw iterator: events, nothing made of them. */
  events(body: Body): Promise<AsyncIterable<unknown>>;
  /** Its helper, which makes a message of the events, where it has one. */
  helper?(body: Body): Promise<number>;
}
/** Each wire hands it to its own SDK. */
export type Body = Readonly<Record<string, unknown>>;

export const model = "bench";
export const apiKey = "none";
export const lengthOf = (text: unknown): number => (typeof text === "string" ? text.length : 0);
