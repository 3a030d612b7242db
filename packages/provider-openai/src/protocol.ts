/** For adapters of hosts that speak one of these protocols, over the SDK. */
export { type ChatClient, type ChatHost, type ChatOptions, chatAdapter } from "./chat/adapter.ts";
export type { ChatParams } from "./chat/encode/index.ts";
export type { EncodeReference } from "./chat/encode/references.ts";
export { chatCallIds } from "./chat/index.ts";
export type { Quirks as ChatQuirks } from "./chat/quirks.ts";
export { clientOptions } from "./client.ts";
export { type Host, hostClientOptions } from "./host-client.ts";
export {
  type ResponsesClient,
  type ResponsesHost,
  type ResponsesOptions,
  responsesAdapter,
} from "./responses/adapter.ts";
