/** For adapters of hosts that speak one of these protocols. */
export { createClient, once, type RequestOptions, read, requestOptions } from "./client.ts";
