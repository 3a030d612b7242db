/** For authors of adapters for hosts that use this protocol. */
export { type AnthropicOptions, anthropic } from "./index.ts";
