import { bedrock } from "@fullstop/provider-bedrock";
import type { Frame } from "../bytes.ts";
import { messages, unmodeledError } from "../framings/messages.ts";
import type { Protocol } from "../protocol.ts";
import { readConverse } from "./read.ts";
import { converseStops } from "./stops.ts";
import { converseReplies } from "./write.ts";

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html */
const exception = (name: string): Frame => ({
  name: `${name}Exception`,
  data: JSON.stringify({ message: "It failed." }),
});

const model = "anthropic.claude-sonnet-5";
const reach = { apiKey: "none", region: "eu-central-1" } as const;

/** Bedrock Converse. */
export const converse: Protocol = {
  replies: converseReplies,
  read: readConverse,
  framing: messages,
  dialect: {
    stopKey: "stopReason",
    stops: converseStops,
    errors: [
      exception("throttling"),
      exception("internalServer"),
      exception("modelStreamError"),
      exception("serviceUnavailable"),
      exception("validation"),
      exception("later"),
      {
        name: unmodeledError,
        data: JSON.stringify({ ":error-code": "InternalError", ":error-message": "It failed." }),
      },
    ],
  },
  adapters: (fetch) => ({
    bedrock: bedrock(model, { ...reach, fetch }),
    "without-metadata": bedrock(model, { ...reach, fetch, metadata: "optional" }),
  }),
};
