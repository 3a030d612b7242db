export type { GatewayOptions } from "./agent/gateway.ts";
export { type AgentOptions, type AgentSubject, agentSubject } from "./agent/subject.ts";
export { withoutMachine } from "./report/machine.ts";
export { type ReporterName, reporters } from "./report/reporters.ts";
export type { Paint } from "./report/terminal.ts";
