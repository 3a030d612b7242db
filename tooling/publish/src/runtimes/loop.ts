import { conform } from "@fullstop/conformance/vitest";
import { anthropicWire } from "@fullstop/conformance/wires/anthropic";
import { jsonSchema, run, tool } from "@fullstop/loop";
import { anthropic } from "@fullstop/provider-anthropic";

/** The loop as a subject of the suite, with an adapter that runs on each runtime. */
conform({
  wire: anthropicWire,
  loop: ({ endpoint, tools, prompt, signal }) =>
    run({
      adapter: anthropic("claude-sonnet-5-5", { apiKey: "key", ...endpoint }),
      tools: tools.map((canary) =>
        tool({
          ...canary,
          inputSchema: jsonSchema(canary.inputSchema),
          execute: (input) => canary.execute(input),
        }),
      ),
      prompt,
      signal,
    }).outcome(),
});
