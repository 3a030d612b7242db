export type { ChatClient } from "./chat/adapter.ts";
export type { ChatParams } from "./chat/encode/index.ts";
export { type OpenAIChatOptions, openaiChat } from "./chat/index.ts";
export type { RequestOptions } from "./client.ts";
export type { ResponsesClient } from "./responses/adapter.ts";
export type { ResponsesEvent } from "./responses/decode/events.ts";
export type { ResponsesParams } from "./responses/encode/index.ts";
export { type OpenAIOptions, openai } from "./responses/index.ts";
