/** What a page needs: nothing here imports a module of Node. */
export { type FixtureFile, type FixtureOptions, toFixture } from "../fixture/to-fixture.ts";
export type { ExpectedVerdict } from "../fixture/turn-file.ts";
export type {
  Recorded,
  RecordedCall,
  RecordedEvent,
  RecordedTurn,
  RecordingHead,
} from "../recording.ts";
export { RecordingError, type RecordingErrorKind } from "../recording-error.ts";
export {
  createRecordingReader,
  type Recording,
  type RecordingReader,
  readRecording,
} from "../recording-reader.ts";
export { createView, type ViewBuilder, viewRecording } from "./create-view.ts";
export type {
  CallState,
  CallStep,
  CallView,
  FrameView,
  InputView,
  OutcomeView,
  PromptPart,
  PromptView,
  RecordingView,
  RepairView,
  ReplyView,
  RunView,
  Totals,
  TurnView,
  VerdictView,
} from "./view.ts";
