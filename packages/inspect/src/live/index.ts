/** The page of a recording while it is written. For Node. */
export { type LiveOptions, type LiveServer, serveRecording } from "./serve-recording.ts";
