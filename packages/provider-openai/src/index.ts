export type { RequestOptions } from "./client.ts";
export type { ResponsesEvent } from "./responses/decode.ts";
export type { ResponsesParams } from "./responses/encode.ts";
export { type OpenAIOptions, openai, type ResponsesClient } from "./responses/index.ts";
