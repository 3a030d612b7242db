import type { Frames, HttpFailure, InBandError, Reply, Wire } from "@fullstop/conformance";
import { blocksOf, type Fields, framesOf, replyEvents, usageOf } from "./events.ts";
import { fixtures } from "./fixtures.ts";
import { violations } from "./refusals.ts";

const frames = (reply: Reply): Frames => framesOf(replyEvents(blocksOf(reply), reply));

/** The last block stays open. */
function unclosed(reply: Reply): Frames {
  const blocks = blocksOf(reply).map((block, index, { length }) =>
    index === length - 1 ? { ...block, open: true as const } : block,
  );
  return framesOf(replyEvents(blocks, reply));
}

/** The body of Converse. The input of a call is an object. */
const whole = ({ blocks, stop, output }: Reply): string =>
  JSON.stringify({
    output: {
      message: {
        role: "assistant",
        content: blocks.map((block): Fields => {
          if ("text" in block) return { text: block.text };
          const { id: toolUseId, name, input } = block;
          return { toolUse: { toolUseId, name, input } };
        }),
      },
    },
    stopReason: stop,
    usage: usageOf(output),
    metrics: { latencyMs: 420 },
  });

const exception = (name: string, message: string): string =>
  JSON.stringify({ [name]: { message }, ":exception-type": name });
/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html */
const errors: readonly InBandError[] = [
  {
    frame: exception("internalServerException", "An internal server error occurred."),
    kind: "server",
  },
  {
    frame: exception("modelStreamErrorException", "The system encountered an unexpected error."),
    kind: "server",
  },
  {
    frame: exception("serviceUnavailableException", "Bedrock is unable to process your request."),
    kind: "overloaded",
  },
  {
    frame: exception("throttlingException", "Too many tokens, please wait before trying again."),
    kind: "rate-limit",
  },
  {
    frame: exception("validationException", "The provided request is not valid"),
    kind: "invalid-request",
  },
  // aws-samples/bedrock-chat#95
  {
    frame: exception("validationException", "Input is too long for requested model."),
    kind: "context-window",
  },
  { frame: exception("modelTimeoutException", "Model has timed out."), kind: "timeout" },
  { frame: exception("xLaterException", "Something new."), kind: "server" },
  // An error without a model: https://smithy.io/2.0/aws/amazon-eventstream.html
  {
    frame: JSON.stringify({ ":error-code": "InternalError", ":error-message": "It broke." }),
    kind: "server",
  },
];

/** The error is named in a header, with an address behind a colon. */
const failure = (
  status: number,
  name: string,
  message: string,
  kind: HttpFailure["kind"],
): HttpFailure => ({
  status,
  headers: {
    "x-amzn-requestid": "7d4f6c1e-56a4-4f6e-8a11-6b1d0c7d1f7f",
    "x-amzn-errortype": `${name}:http://internal.amazon.com/coral/com.amazon.bedrock/`,
  },
  body: JSON.stringify({ message }),
  kind,
});

/** https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html */
const failures: readonly HttpFailure[] = [
  failure(
    400,
    "ValidationException",
    "The text field in the ContentBlock object at messages.0.content.0 is blank. Add text to the text field, and try again.",
    "invalid-request",
  ),
  // strands-agents/harness-sdk#1663
  failure(
    400,
    "ValidationException",
    "The model returned the following errors: prompt is too long: 903884 tokens > 200000 maximum",
    "context-window",
  ),
  failure(
    400,
    "ValidationException",
    "The model returned the following errors: Input is too long for requested model.",
    "context-window",
  ),
  // strands-agents/harness-sdk#3969 lists these three.
  failure(
    400,
    "ValidationException",
    "The model returned the following errors: input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
    "context-window",
  ),
  failure(400, "ValidationException", "too many total text bytes: 26000000", "context-window"),
  failure(
    400,
    "ValidationException",
    "This model's maximum context length is 202752 tokens. However, you requested 65536 output tokens and your prompt contains at least 137217 input tokens, for a total of at least 202753 tokens.",
    "context-window",
  ),
  failure(
    400,
    "ServiceQuotaExceededException",
    "Your request exceeds the service quota for your account.",
    "billing",
  ),
  failure(
    403,
    "AccessDeniedException",
    "You don't have access to the model with the specified model ID.",
    "auth",
  ),
  failure(
    403,
    "UnrecognizedClientException",
    "The security token included in the request is invalid.",
    "auth",
  ),
  failure(
    403,
    "ExpiredTokenException",
    "The security token included in the request is expired",
    "auth",
  ),
  failure(404, "ResourceNotFoundException", "Could not resolve the model.", "invalid-request"),
  failure(408, "ModelTimeoutException", "The request took too long to process.", "timeout"),
  failure(424, "ModelErrorException", "The model failed to process the request.", "server"),
  failure(
    429,
    "ThrottlingException",
    "Too many requests, please wait before trying again.",
    "rate-limit",
  ),
  failure(
    429,
    "ModelNotReadyException",
    "Model is not ready for inference. Wait and try your request again.",
    "overloaded",
  ),
  failure(500, "InternalServerException", "The server had an internal error.", "server"),
  failure(503, "ServiceUnavailableException", "Bedrock is unable to process it.", "overloaded"),
  // A key that is not accepted: the message is in another case.
  { status: 403, body: '{"Message":"Authentication failed: check your API Key."}', kind: "auth" },
  { status: 503, body: "<html><title>Busy</title></html>", kind: "overloaded" },
];

/**
 * ConverseStream of Amazon Bedrock, from the server's side. `metadata` comes last.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
export const wire: Wire = {
  name: "bedrock-converse",
  framing: "aws",
  nativeStops: {
    stop: "end_turn",
    "tool-use": "tool_use",
    length: "max_tokens",
    "context-window": "model_context_window_exceeded",
    "content-filter": "guardrail_intervened",
    "malformed-tool-call": "malformed_tool_use",
    error: "malformed_model_output",
  },
  frames,
  unclosed,
  whole,
  streams: ({ path }) => path.endsWith("/converse-stream"),
  eventsAfterStop: 1,
  ends: true,
  fixtures,
  errors,
  failures,
  violations,
};
