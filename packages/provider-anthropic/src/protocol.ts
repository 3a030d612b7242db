/** For adapters of hosts that speak this protocol. */
export { type AnthropicOptions, anthropic } from "./index.ts";
