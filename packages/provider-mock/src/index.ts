export { type Mock, mock, type Script } from "./mock.ts";
export type { Say, ScriptedCall } from "./reply.ts";
