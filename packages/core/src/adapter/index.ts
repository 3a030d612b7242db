/** For authors of adapters and loops. Users of turns need only `@fullstop/core`. */
export {
  type AdapterSpec,
  type CallIdRule,
  defineAdapter,
  defineReplyReader,
  type EventBatches,
  type OutputFormat,
  type OutputSpec,
  type ReplySpec,
} from "../contract/adapter.ts";
export { type ErrorTable, isProviderError } from "../contract/error.ts";
export type { Decoder, Emit, InputKey, TurnEvent } from "../contract/event.ts";
export type {
  ContentBlock,
  MediaData,
  MediaReference,
  MediaSource,
  NativeBlock,
  Origin,
} from "../contract/message.ts";
export { type ClaimedStop, stopRules } from "../contract/stop.ts";
export type { Claim, StopTable } from "../contract/stop-table.ts";
export type { EndedTurn, FailedTurn, ToolUseTurn } from "../contract/turn.ts";
export { withheldNames } from "../gate/explain.ts";
export { describeMissingOutput } from "../gate/output.ts";
export { readPartialInput, salvageTurn } from "../gate/salvage.ts";
export type { SentRequest } from "../gate/sent-request.ts";
export { withheldNote } from "../gate/withheld-note.ts";
export {
  checkMessages,
  describeInvalidBlocks,
  describeInvalidMessages,
} from "../history/message-shape.ts";
export { capOf } from "../history/prepare.ts";
export { canonicalJson, isOtherInput } from "../json/canonical.ts";
export {
  type Fields,
  fieldsOf,
  isFields,
  readIndex,
} from "../json/fields.ts";
export { freezeDeep, frozenCopy } from "../json/freeze.ts";
export { jsonText, parseJson, stringifyJson } from "../json/json.ts";
export { isObjectText, parsePlainJson, tryParseJson } from "../json/parse.ts";
export type { PartialInput } from "../json/partial-json.ts";
export {
  type InputVerdict,
  type SchemaTypes,
  toJsonSchema,
  validateInput,
} from "../json/schema.ts";
export { type LeakWatch, watchForLeak } from "../leak/leaked-call.ts";
export { withoutLeakedCall } from "../leak/without-leak.ts";
export { checkGiven } from "../options/check-given.ts";
export { type CheckedOptions, checkOptions } from "../options/check-options.ts";
export {
  abortSignal,
  anyFunction,
  anyObject,
  anyText,
  anyValue,
  listOf,
  type OptionKind,
  type OptionKinds,
  oneOf,
  positiveInteger,
  positiveNumber,
  trueOrFalse,
  wholeNumber,
  withMethods,
} from "../options/kinds.ts";
export { nearest } from "../options/nearest.ts";
export { requestKinds } from "../options/request-options.ts";
export { outputTool, outputToolName, sendsOutputFormat } from "../output-tool.ts";
export { lingerMs } from "../reply/stop-state.ts";
export { sleep, startTimer, withinTime } from "../timer.ts";
export { awsEventStream } from "../transport/aws-event-stream.ts";
export type { EventOptions, ParseEvent } from "../transport/body.ts";
export { redactThrown } from "../transport/clean-error.ts";
export { withEndpoint } from "../transport/endpoint.ts";
export { ndjson } from "../transport/ndjson.ts";
export { decodeUrlPart, type KnownEndpoint } from "../transport/secrets.ts";
export { type Frame, type FrameOptions, parseFrames, readFrames, sse } from "../transport/sse.ts";
export { parseErrorEvents, parseEvent } from "../transport/text-reader.ts";
export { unreachable } from "../transport/unreachable.ts";
export { callUserFunction } from "../user-function.ts";
export { closeObjects, everySchema, mapSubschemas } from "./close-objects.ts";
export { environment } from "./environment.ts";
export {
  type AdapterOptions,
  type CommonOptions,
  checkAdapterOptions,
  commonKinds,
  endpointKinds,
  formatOption,
  type OutputFormatOption,
  refuseCap,
} from "./factory-options.ts";
export {
  contentBlocks,
  decodeTextFile,
  describeMedia,
  isImageReference,
  isTextType,
  type MediaContent,
  omissionNote,
  resultText,
} from "./media.ts";
export {
  calledTools,
  functionSchema,
  inputObject,
  type OfferedTool,
  safeToolName,
  type ToolNameRule,
  textSchema,
} from "./offered-tool.ts";
export { refuseOtherNames } from "./other-names.ts";
export { otherStopWords, unfinishedStops, unfinishedWords } from "./other-stops.ts";
export { type SdkAdapterSpec, type SdkSource, sdkAdapter } from "./sdk-adapter.ts";
export { hasResponse, parsedReply, readSdkReply } from "./sdk-reply.ts";
export { type SentParts, sentParts, sentTool } from "./sent-body.ts";
