import type { AdapterSubject } from "@fullstop/conformance";
import { mistral } from "@fullstop/provider-mistral";
import { wire } from "./wire.ts";

/** The adapter that the suite tests, and the wire that it must understand. */
const subject: AdapterSubject = {
  wire,
  adapter: (endpoint) => mistral("mistral-large-latest", { apiKey: "key", ...endpoint }),
  wholeAdapter: (endpoint) =>
    mistral("mistral-large-latest", { apiKey: "key", stream: false, ...endpoint }),
};
export default subject;
