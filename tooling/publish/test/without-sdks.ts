// Uses each adapter over an SDK where no SDK is installed. Prints what happened as JSON.
import { registerHooks } from "node:module";
import type { Adapter } from "@fullstop/core";

const sdks = ["@anthropic-ai/sdk", "@aws-sdk/client-bedrock-runtime", "@google/genai", "openai"];
const wanted: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    if (!sdks.includes(specifier)) return next(specifier, context);
    wanted.push(specifier);
    throw Object.assign(new Error(`Cannot find package '${specifier}'`), {
      code: "ERR_MODULE_NOT_FOUND",
    });
  },
});

const { readTurn } = await import("@fullstop/core");
const { anthropic } = await import("@fullstop/provider-anthropic");
const { bedrock } = await import("@fullstop/provider-bedrock");
const { copilot } = await import("@fullstop/provider-copilot");
const { google } = await import("@fullstop/provider-google");
const { mistral } = await import("@fullstop/provider-mistral");
const { openai, openaiChat } = await import("@fullstop/provider-openai");
const { openaiCompatible } = await import("@fullstop/provider-openai-compatible");
const afterImports = [...wanted];

const client = { messages: { create: () => Promise.reject(new Error("asked")) } };
const own = anthropic("claude-sonnet-5-5", { client });
const afterOwnClient = [...wanted];

const apiKey = "none";
const adapters: Readonly<Record<string, Adapter>> = {
  anthropic: anthropic("claude-sonnet-5-5", { apiKey }),
  bedrock: bedrock("amazon.nova-pro-v1:0", { apiKey, region: "eu-central-1" }),
  copilot: copilot("gpt-5.2", { token: async () => ({ token: "none" }) }),
  google: google("gemini-3.1-pro", { apiKey }),
  mistral: mistral("mistral-large-latest", { apiKey }),
  openai: openai("gpt-6", { apiKey }),
  openaiChat: openaiChat("gpt-6", { apiKey }),
  openaiCompatible: openaiCompatible("deepseek", "deepseek-chat", { apiKey }),
};
// Node ends this program here if a rejection has no handler.
await new Promise((resolve) => setImmediate(resolve));
const begun = [...new Set(wanted)].toSorted();

const messages = [{ role: "user", content: "Go." }] as const;
const errors: Record<string, unknown> = {};
for (const [name, adapter] of Object.entries({ ...adapters, own })) {
  const turn = await readTurn(adapter, { messages });
  errors[name] = "error" in turn ? turn.error : turn.stopReason;
}
process.stdout.write(JSON.stringify({ afterImports, afterOwnClient, begun, errors }));
