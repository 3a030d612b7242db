export { type Recorder, type RecordOptions, record } from "./record.ts";
export type { RecordingHead } from "./recording.ts";
export { RecordingError, type RecordingErrorKind } from "./recording-error.ts";
