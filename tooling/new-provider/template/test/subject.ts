import type { AdapterSubject } from "@fullstop/conformance";
import { acme } from "@fullstop/provider-acme";
import { wire } from "./wire.ts";

/** The subject of the suite: the adapter, and the wire of its protocol. */
const subject: AdapterSubject = {
  wire,
  adapter: (endpoint) => acme("acme-large", endpoint),
  wholeAdapter: (endpoint) => acme("acme-large", { ...endpoint, stream: false }),
};
export default subject;
