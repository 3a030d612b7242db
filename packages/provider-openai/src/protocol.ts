/** For adapters of hosts that speak one of these protocols, over the SDK. */

export type { ChatParams } from "./chat/encode.ts";
export {
  type ChatClient,
  type ChatHost,
  type ChatOptions,
  chatAdapter,
  chatCallIds,
} from "./chat/index.ts";
export type { EncodeReference, Quirks as ChatQuirks } from "./chat/quirks.ts";
export { clientOptions, type Host, hostClientOptions } from "./client.ts";
export {
  type ResponsesClient,
  type ResponsesHost,
  type ResponsesOptions,
  responsesAdapter,
} from "./responses/index.ts";
