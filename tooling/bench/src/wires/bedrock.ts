import {
  BedrockRuntimeClient,
  ConverseStreamCommand,
  type ConverseStreamCommandInput,
  type ConverseStreamOutput,
} from "@aws-sdk/client-bedrock-runtime";
import { bedrock } from "@fullstop/provider-bedrock";
import { NodeHttpHandler } from "@smithy/node-http-handler";
// @boundaries-ignore only the tests of this provider have its wire
import { wire } from "../../../../packages/provider-bedrock/test/wire.ts";
import { apiKey, type BenchWire, lengthOf, model } from "../wire.ts";

const region = "eu-central-1";

/** The SDK has no helper. */
export const bedrockBench: BenchWire = {
  wire,
  adapter: (endpoint) => bedrock(model, { region, ...endpoint }),
  characters(event) {
    const { delta } = (event as ConverseStreamOutput).contentBlockDelta ?? {};
    return lengthOf(delta?.text) + lengthOf(delta?.toolUse?.input);
  },
  vendor(baseURL) {
    const client = new BedrockRuntimeClient({
      region,
      endpoint: baseURL,
      token: { token: apiKey },
      authSchemePreference: ["httpBearerAuth"],
      requestHandler: new NodeHttpHandler(),
      maxAttempts: 1,
    });
    return {
      events: async (body) => {
        const input = { modelId: model, ...body } as unknown as ConverseStreamCommandInput;
        return (await client.send(new ConverseStreamCommand(input))).stream ?? noEvents();
      },
    };
  },
};

async function* noEvents(): AsyncGenerator<never> {}
