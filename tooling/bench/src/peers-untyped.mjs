// Other libraries, used as their documents show. This is plain JavaScript, because the project does not install their types.

const schema = {
  type: "object",
  properties: { path: { type: "string" }, content: { type: "string" } },
};
const about = { name: "write", description: "Writes a file." };
const prompt = "Write the file.";
const maxTokens = 4096;
const model = "claude-sonnet-4-5";
const apiKey = "none";

const sizeOf = (input) => (input === undefined ? 0 : JSON.stringify(input).length);

export const peersOn = (baseURL, modules) => ({
  vercel: vercel(baseURL, modules),
  langchain: langchain(baseURL, modules),
  tanstack: tanstack(baseURL, modules),
  pi: pi(baseURL, modules),
});

function vercel(baseURL, { ai, "@ai-sdk/anthropic": { createAnthropic } }) {
  const made = createAnthropic({ baseURL: `${baseURL}/v1`, apiKey })(model);
  const tools = { write: ai.tool({ ...about, inputSchema: ai.jsonSchema(schema) }) };
  return async () => {
    const result = ai.streamText({
      model: made,
      prompt,
      maxOutputTokens: maxTokens,
      maxRetries: 0,
      tools,
    });
    for await (const _ of result.fullStream);
    const [call] = await result.toolCalls;
    return (await result.text).length + sizeOf(call?.input);
  };
}

function langchain(baseURL, { "@langchain/anthropic": { ChatAnthropic } }) {
  const chat = new ChatAnthropic({
    model,
    apiKey,
    anthropicApiUrl: baseURL,
    maxRetries: 0,
    maxTokens,
  });
  const bound = chat.bindTools([{ ...about, input_schema: schema }]);
  return async () => {
    let all;
    for await (const chunk of await bound.stream(prompt)) all = all?.concat(chunk) ?? chunk;
    return all.text.length + sizeOf(all.tool_calls?.[0]?.args);
  };
}

function tanstack(
  baseURL,
  { "@tanstack/ai": { chat }, "@tanstack/ai-anthropic": { createAnthropicChat } },
) {
  const adapter = createAnthropicChat(model, apiKey, { baseURL });
  const tools = [{ ...about, inputSchema: schema }];
  return async () => {
    let found = 0;
    for await (const { type, delta, input } of chat({
      adapter,
      messages: [{ role: "user", content: prompt }],
      tools,
      maxIterations: 1,
    })) {
      if (type === "TEXT_MESSAGE_CONTENT") found += delta.length;
      if (type === "TOOL_CALL_END") found += sizeOf(input);
    }
    return found;
  };
}

function pi(
  baseURL,
  {
    "@earendil-works/pi-ai": { createModels },
    "@earendil-works/pi-ai/providers/anthropic": { anthropicProvider },
  },
) {
  const models = createModels();
  models.setProvider(anthropicProvider());
  const made = { ...models.getModel("anthropic", model), baseUrl: baseURL, maxTokens };
  const context = {
    messages: [{ role: "user", content: prompt, timestamp: 0 }],
    tools: [{ ...about, parameters: schema }],
  };
  return async () => {
    const events = models.stream(made, context, { apiKey });
    for await (const _ of events);
    const { content } = await events.result();
    return content.reduce(
      (sum, block) => sum + (block.text?.length ?? 0) + sizeOf(block.arguments),
      0,
    );
  };
}
