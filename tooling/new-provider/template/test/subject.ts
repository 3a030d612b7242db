import type { AdapterSubject } from "@fullstop/conformance";
import { acme } from "@fullstop/provider-acme";
import { wire } from "./wire.ts";

/** What the suite judges: the adapter, and the wire that it must understand. */
const subject: AdapterSubject = { wire, adapter: (endpoint) => acme("acme-large", endpoint) };
export default subject;
