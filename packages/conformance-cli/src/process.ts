export { type RunningGateway, startGateway } from "./agent/gateway.ts";
export { type ProcessOptions, type ProcessResult, runProcess } from "./agent/process.ts";
