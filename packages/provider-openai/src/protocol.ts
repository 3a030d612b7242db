/** For adapters of hosts that speak one of these protocols. */
export { createClient, once, type RequestOptions, read, requestOptions } from "./client.ts";
export { createDecoder as createResponsesDecoder, type ResponsesEvent } from "./responses/decode.ts";
export { encode as encodeResponses, type ResponsesParams } from "./responses/encode.ts";
export { errors as responsesErrors } from "./responses/errors.ts";
export { stops as responsesStops } from "./responses/stops.ts";
