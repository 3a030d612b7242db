import type { AdapterSubject } from "@fullstop/conformance";
import { ollama } from "@fullstop/provider-ollama";
import { wire } from "./wire.ts";

/** The subject of the suite: the adapter, and the wire of its protocol. */
const subject: AdapterSubject = {
  wire,
  adapter: (endpoint) => ollama("qwen3", endpoint),
  wholeAdapter: (endpoint) => ollama("qwen3", { stream: false, ...endpoint }),
  notClaimed: { "stop.no-call": "`stop` ends replies with calls and without" },
};
export default subject;
