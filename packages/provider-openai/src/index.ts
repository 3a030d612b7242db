export type { ChatParams } from "./chat/encode.ts";
export type { ChatClient } from "./chat/index.ts";
export { type OpenAIChatOptions, openaiChat } from "./chat/index.ts";
export type { RequestOptions } from "./client.ts";
export type { ResponsesParams } from "./responses/encode.ts";
export type { ResponsesEvent } from "./responses/events.ts";
export type { ResponsesClient } from "./responses/index.ts";
export { type OpenAIOptions, openai } from "./responses/index.ts";
