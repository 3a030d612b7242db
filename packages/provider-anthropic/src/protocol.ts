/** For authors of adapters for hosts that use this protocol. */

export { type HostFacts, hostFacts } from "./host-facts.ts";
export { type AnthropicOptions, anthropic } from "./index.ts";
