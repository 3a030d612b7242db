import config from "./vitest.config.ts";

/**
 * What finds the fewest mistakes for its time: one editor of the guard and one mutant-heavy suite
 * stand for the others, and a provider that shares its decoder with another is left out.
 */
const leftOut: readonly string[] = [
  "packages/guard/test/clauses/{anthropic,dialects,gemini,responses}.test.ts",
  "packages/{provider-copilot,provider-openai-compatible}/test/conformance.test.ts",
  "tooling/{handoff,secrets}",
  "**/fixtures.test.ts",
];

/** The tests for local work, in well under a minute. */
export default {
  ...config,
  test: { ...config.test, exclude: [...(config.test?.exclude ?? []), ...leftOut] },
};
