import config from "./vitest.config.ts";

/** Files that take long and find what another file finds first. */
const leftOut: readonly string[] = [
  // Clauses: Ollama's protocol stays, which is the smallest.
  "packages/provider-{anthropic,bedrock,copilot,google,mistral,mock,openai*}/test/*{conformance,clauses}.test.ts",
  "packages/{ai-sdk,langchain}/test/*{clauses,finished-calls}.test.ts",
  "apps/gateway/test/clauses.test.ts",
  "packages/provider-openai-compatible/test/dialects.test.ts",
  "packages/provider-anthropic/test/{cloud-clients,openrouter}.test.ts",
  "packages/guard/test/clauses",
  // Journals: real files and databases, what waits for leases, and their suite.
  "packages/journal-{file,postgres,sqlite}",
  "packages/loop/test/{journal-failures,leased-journal,leased-run}.test.ts",
  "packages/conformance/test/journal",
  // Each cut of a reply, and each recorded reply once more.
  "packages/guard/test/{*-cuts,*-corpus,responses-events}.test.ts",
  "packages/*/test/fixtures.test.ts",
  "apps/gateway/test/corpus.test.ts",
  // The suite on itself: mutants, broken loops, broken gateways.
  "packages/conformance/test/{framing,guarded,mutants,output,rules,shared}.test.ts",
  "packages/conformance/test/{gateway,replay,run}",
  "apps/cli/test/broken.test.ts",
  // Properties: what they find is rare.
  "**/*property*.test.ts",
  "packages/lint/test/{adapters,any-value}.test.ts",
  // A hundred connections that are lost, servers that do not answer, and both sides in any form.
  "packages/mcp/test/{doubt,time}.test.ts",
  "packages/core/test/{aws-event-stream,read-faults}.test.ts",
  "apps/gateway/test/{boundary,hostile,limits}.test.ts",
  // Across packages.
  "packages/inspect/test/{reader,redact,size}.test.ts",
  "tests/{handoff,secrets}",
  "tooling/fuzz",
];

/** The tests for local work: fewer than those of `pnpm test`. */
export default {
  ...config,
  test: { ...config.test, exclude: [...(config.test?.exclude ?? []), ...leftOut] },
};
