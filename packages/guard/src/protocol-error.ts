import { checkGiven } from "@fullstop/core/adapter";
import { protocols } from "./protocols/index.ts";
import type { Failure } from "./protocols/protocol.ts";
import { errorResponse } from "./reply/response.ts";
import { findPath } from "./request/recognize.ts";

/**
 * An error instead of a reply, in the form of the protocol that the path belongs to. `undefined` if
 * the path belongs to none. For gateways that answer in place of a provider.
 */
export function protocolError(
  request: { readonly method: string; readonly url: URL },
  failure: Failure,
): Response | undefined {
  checkGiven(request?.url, "protocolError", "an object with `method`, and `url` as a `URL`");
  const known = findPath(request.method, request.url);
  return known && errorResponse(protocols[known.protocol], failure);
}
