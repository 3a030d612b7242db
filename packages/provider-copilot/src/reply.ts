/** Readers of replies for a gate. None of these modules loads an SDK. */
export { type CopilotReplyOptions, copilotReply, type Surface } from "./readers.ts";
