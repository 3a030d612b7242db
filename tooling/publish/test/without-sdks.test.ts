import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { root, runProgram } from "../src/install/process.ts";

const program = fileURLToPath(new URL("without-sdks.ts", import.meta.url));
/** The SDK of each adapter of the program. */
const sdkOf = {
  anthropic: "@anthropic-ai/sdk",
  bedrock: "@aws-sdk/client-bedrock-runtime",
  copilot: "openai",
  google: "@google/genai",
  mistral: "openai",
  openai: "openai",
  openaiChat: "openai",
  openaiCompatible: "openai",
};

it("adapters load their SDKs when they are made, and a missing SDK fails the turn", async () => {
  const printed = await runProgram([process.execPath, "--conditions=@fullstop/source", program], {
    cwd: root,
  });
  const { errors, ...loads } = JSON.parse(printed);
  expect(loads).toEqual({
    afterImports: [],
    afterOwnClient: [],
    begun: [...new Set(Object.values(sdkOf))].toSorted(),
  });
  const missing = Object.entries(sdkOf).map(([name, sdk]) => [
    name,
    {
      name: "ProviderError",
      kind: "invalid-request",
      message: `\`${sdk}\` cannot be loaded (Cannot find package '${sdk}'). If it is not installed, run \`npm install ${sdk}\`.`,
    },
  ]);
  expect(errors).toEqual({
    ...Object.fromEntries(missing),
    own: expect.objectContaining({ message: expect.stringContaining("asked") }),
  });
});
