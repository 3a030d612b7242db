import type { Host } from "../src/index.ts";

/** The options of a vendor's client that asks this host, once. */
export const sdkOptions = ({
  endpoint: { baseURL, fetch },
}: Pick<Host, "endpoint">): Pick<Host["endpoint"], "baseURL" | "fetch"> & {
  readonly apiKey: string;
  readonly maxRetries: number;
  readonly logLevel: "off";
} => ({ apiKey: "not-a-key", baseURL, fetch, maxRetries: 0, logLevel: "off" });
