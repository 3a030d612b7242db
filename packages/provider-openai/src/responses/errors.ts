import type { ErrorKind } from "@fullstop/core";
import type { ErrorTable } from "@fullstop/core/adapter";
import type OpenAI from "openai";
import { chatErrors } from "../chat/errors.ts";

/** Of this package: a request with the same tools would fail again. */
const unsupportedItem = "unsupported_item";

/**
 * `code` and `type` of an error: those of the platform, and those of this API.
 * https://developers.openai.com/api/docs/guides/error-codes
 */
export const responsesErrors: ErrorTable &
  Readonly<Record<OpenAI.Responses.ResponseError["code"], ErrorKind>> = {
  ...chatErrors,
  server_error: "server",
  rate_limit_exceeded: "rate-limit",
  server_is_overloaded: "overloaded",
  slow_down: "overloaded",
  vector_store_timeout: "server",
  account_deactivated: "auth",
  unsupported_country_region_territory: "auth",
  previous_response_not_found: "invalid-request",
  /** Reasoning of another account, model or item. */
  invalid_encrypted_content: "invalid-request",
  data_residency_mismatch: "invalid-request",
  invalid_prompt: "invalid-request",
  bio_policy: "invalid-request",
  misalignment_policy_violation: "invalid-request",
  invalid_image: "invalid-request",
  invalid_image_format: "invalid-request",
  invalid_base64_image: "invalid-request",
  invalid_image_url: "invalid-request",
  image_too_large: "invalid-request",
  image_too_small: "invalid-request",
  image_parse_error: "invalid-request",
  image_content_policy_violation: "invalid-request",
  invalid_image_mode: "invalid-request",
  image_file_too_large: "invalid-request",
  unsupported_image_media_type: "invalid-request",
  empty_image_file: "invalid-request",
  failed_to_download_image: "invalid-request",
  image_file_not_found: "invalid-request",
  [unsupportedItem]: "invalid-request",
};

export const unsupportedError = (type: string): object => ({
  code: unsupportedItem,
  message: `The reply waits for an answer to its "${type}", and this adapter does not support it. Remove this tool from the request, or offer a function or a custom tool instead.`,
});
