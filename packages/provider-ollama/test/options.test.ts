import { serve } from "@fullstop/conformance/server";
import { readTurn } from "@fullstop/core";
import { ollama } from "@fullstop/provider-ollama";
import { expect, onTestFinished, test } from "vitest";

test.each<[object, string]>([
  [{ apikey: "k" }, "Unknown option `apikey` of `ollama`. Did you mean `apiKey`?"],
  [{ num_ctx: 4096 }, "Unknown option `num_ctx` of `ollama`. The options are: baseURL,"],
  [{ client: {} }, "Unknown option `client` of `ollama`."],
  [
    { params: { options: { num_predict: 20 } } },
    "`params.options.num_predict` sets the output cap, which the gate must know.",
  ],
])("an option that cannot work is an error at once: %j", (options, sentence) => {
  expect(() => ollama("qwen3", options as never)).toThrow(sentence);
});

test("stop sequences are refused in a request with tools, and only there", async () => {
  const server = await serve(() => ({ status: 400, chunks: [] }));
  onTestFinished(() => server.close());
  const adapter = ollama("qwen3", {
    baseURL: server.url,
    params: { options: { stop: ["END"] } },
  });
  const messages = [{ role: "user", content: "Go." }] as const;
  const tools = [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }];
  const refused = await readTurn(adapter, { messages, tools });
  expect(refused).toMatchObject({ stopReason: "error", error: { kind: "invalid-request" } });
  expect(JSON.stringify(refused)).toContain("Leave out `params.options.stop`");
  expect(server.requests).toHaveLength(0);
  await readTurn(adapter, { messages, tools, toolChoice: "none" });
  await readTurn(adapter, { messages });
  expect(server.requests).toHaveLength(2);
});
