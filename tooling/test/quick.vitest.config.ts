import config from "./vitest.config.ts";

/** Files that take long and find what another file finds first. */
const leftOut: readonly string[] = [
  // Clauses: Anthropic's protocol and Ollama's stay, and the hosts of Chat behind the guard.
  "packages/provider-{bedrock,copilot,google,mistral,mock,openai-compatible}/test/conformance.test.ts",
  "tooling/new-provider/template/test/conformance.test.ts",
  "packages/provider-openai/test/*{conformance,clauses}.test.ts",
  "packages/provider-openai-websocket/test/clauses.test.ts",
  "packages/provider-anthropic/test/{cloud-clients,openrouter}.test.ts",
  "packages/guard/test/clauses/{anthropic,chat,gemini,mutants,responses}.test.ts",
  "packages/journal-file/test/conformance.test.ts",
  // Each cut of a reply, and each recorded reply once more.
  "packages/guard/test/{*-cuts,*-corpus,responses-events}.test.ts",
  "packages/*/test/fixtures.test.ts",
  "apps/gateway/test/corpus.test.ts",
  // The suite on itself: mutants, broken loops, broken gateways.
  "packages/conformance/test/{framing,guarded,mutants,output,rules,shared}.test.ts",
  "packages/conformance/test/{gateway,replay,run}",
  "packages/conformance/test/journal/{mutants,tables}.test.ts",
  "apps/cli/test/broken.test.ts",
  // Properties: what they find is rare.
  "**/*property*.test.ts",
  "packages/lint/test/{adapters,any-value}.test.ts",
  // A hundred connections that are lost.
  "packages/mcp/test/doubt.test.ts",
  // Across packages.
  "packages/inspect/test/{reader,size}.test.ts",
  "tests/{handoff,secrets}",
  "tooling/fuzz",
];

/** The tests for local work: fewer than those of `pnpm test`. */
export default {
  ...config,
  test: { ...config.test, exclude: [...(config.test?.exclude ?? []), ...leftOut] },
};
