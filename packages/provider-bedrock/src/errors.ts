import type { ConverseStreamOutput } from "@aws-sdk/client-bedrock-runtime";
import type { ErrorKind } from "@fullstop/core";
import type { ErrorTable } from "@fullstop/core/adapter";

type MemberOf<Union> = Union extends unknown ? keyof Union : never;
/** The exceptions that the SDK knows inside a stream. */
type StreamException = Extract<MemberOf<ConverseStreamOutput>, `${string}Exception`>;

/**
 * The kind of each exception inside a stream. Its name begins with a small letter.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html
 */
const streamErrors: Readonly<Record<StreamException, ErrorKind>> = {
  internalServerException: "server",
  modelStreamErrorException: "server",
  serviceUnavailableException: "overloaded",
  throttlingException: "rate-limit",
  validationException: "invalid-request",
};

/**
 * The kind of each error of Converse, and of the authentication in front of it.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html,
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html
 */
export const errors: ErrorTable = {
  ...streamErrors,
  /** Some models time out inside a stream. The SDK's type lists it only for InvokeModel. */
  modelTimeoutException: "timeout",
  AccessDeniedException: "auth",
  InternalServerException: "server",
  InternalFailure: "server",
  /** HTTP 424: the model failed. */
  ModelErrorException: "server",
  /** The SDK itself would repeat the request: the model is being loaded. */
  ModelNotReadyException: "overloaded",
  ModelStreamErrorException: "server",
  ModelTimeoutException: "timeout",
  ResourceNotFoundException: "invalid-request",
  ServiceQuotaExceededException: "billing",
  ServiceUnavailableException: "overloaded",
  ServiceUnavailable: "overloaded",
  ThrottlingException: "rate-limit",
  ValidationException: "invalid-request",
  ValidationError: "invalid-request",
  ConflictException: "invalid-request",
  UnrecognizedClientException: "auth",
  InvalidSignatureException: "auth",
  IncompleteSignature: "auth",
  IncompleteSignatureException: "auth",
  MissingAuthenticationToken: "auth",
  MissingAuthenticationTokenException: "auth",
  InvalidClientTokenId: "auth",
  ExpiredToken: "auth",
  ExpiredTokenException: "auth",
  RequestExpired: "auth",
  NotAuthorized: "auth",
  OptInRequired: "auth",
};

/** `ValidationException:http://…` and `com.amazon#ValidationException` both name the exception. */
export const exceptionName = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value.split(":", 1)[0]?.split("#").at(-1) : undefined;
