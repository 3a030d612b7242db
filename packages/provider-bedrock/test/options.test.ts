import { bedrock } from "@fullstop/provider-bedrock";
import { describe, expect, test } from "vitest";

test.each<[object, string]>([
  [{ apikey: "k" }, "Unknown option `apikey` of `bedrock`. Did you mean `apiKey`?"],
  [{ metadata: "never" }, '`metadata` of `bedrock` must be one of "required", "optional"'],
  [
    { params: { inferenceConfig: { maxTokens: 100 } } },
    "`params.inferenceConfig.maxTokens` sets the output cap, which the gate must know.",
  ],
])("an option that cannot work is an error at once: %j", (options, sentence) => {
  expect(() => bedrock("amazon.nova-pro-v1:0", options as never)).toThrow(sentence);
});

describe("the cap", () => {
  test.each([
    ["anthropic.claude-3-haiku-20240307-v1:0", { default: 4096, ceiling: 4096 }],
    ["us.anthropic.claude-opus-4-1-20250805-v1:0", { default: 32_000, ceiling: 32_000 }],
    ["anthropic.claude-sonnet-4-5-20250929-v1:0", { default: 32_000, ceiling: 64_000 }],
    ["anthropic.claude-opus-5-v1", { default: 32_000, ceiling: 128_000 }],
    ["amazon.nova-pro-v1:0", {}],
    ["arn:aws:bedrock:eu-central-1:111122223333:application-inference-profile/abc", {}],
  ])("of %s", (model, caps) => {
    expect(bedrock(model).maxTokens).toEqual(caps);
  });
  test("is the caller's, if there is one", () => {
    const maxTokens = { default: 500, ceiling: 1000 };
    expect(bedrock("amazon.nova-pro-v1:0", { maxTokens }).maxTokens).toEqual(maxTokens);
  });
});
