export type { RequestOptions } from "./client.ts";
