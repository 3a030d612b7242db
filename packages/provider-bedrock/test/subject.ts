import type { AdapterSubject } from "@fullstop/conformance";
import { bedrock } from "@fullstop/provider-bedrock";
import { wire } from "./wire.ts";

export const model = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
/** Of the example in the documents of AWS. They open nothing. */
export const credentials = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};

/** The subject of the suite: the adapter, and the wire of its protocol. */
const subject: AdapterSubject = {
  wire,
  adapter: (endpoint) => bedrock(model, { region: "eu-central-1", ...endpoint }),
  wholeAdapter: (endpoint) =>
    bedrock(model, { region: "eu-central-1", stream: false, ...endpoint }),
};
export default subject;
