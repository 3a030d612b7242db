// The gate in your own loops: the request, the history and the tools stay yours, and so does the SDK.
// The gate only says which calls of a reply may run. node own-loops.ts
import Anthropic from "@anthropic-ai/sdk";
import { createGate, explain, type ToolCall, toProviderError } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";
import { openaiChat } from "@fullstop/provider-openai";
import OpenAI from "openai";

const parameters = {
  type: "object" as const,
  properties: { city: { type: "string" } },
  required: ["city"],
};
const description = "The weather in a city.";
const prompt = "Do I need a coat in Oslo?";

/** The name of a call may be one that you did not offer: the gate does not look at it. */
function execute({ name, input }: ToolCall): string {
  return name === "weather"
    ? `4 °C in ${String(input["city"])}`
    : `The program has no tool ${name}.`;
}

/** Anthropic Messages, streamed. */
async function askAnthropic(): Promise<string> {
  const client = new Anthropic();
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: prompt }];
  const tools = [{ name: "weather", description, input_schema: parameters }];
  for (let turns = 0; turns < 10; turns++) {
    const params = { model: "claude-sonnet-5-5", max_tokens: 1024, tools, messages };
    const adapter = anthropic(params.model);
    const gate = createGate(adapter, { body: params });
    const stream = client.messages.stream(params);
    try {
      for await (const event of stream) gate.push(event);
    } catch (error) {
      gate.fail(toProviderError(error, adapter));
    }
    const turn = gate.end();
    if (turn.stopReason === "stop") return turn.text;
    if (turn.stopReason !== "tool-use") throw new Error(explain(turn).person);
    messages.push(
      { role: "assistant", content: (await stream.finalMessage()).content },
      {
        role: "user",
        content: turn.calls.map((call) => ({
          type: "tool_result" as const,
          tool_use_id: call.id,
          content: execute(call),
        })),
      },
    );
  }
  throw new Error("No answer after ten turns.");
}

/** OpenAI Chat Completions, in one piece: the whole completion is one event for the gate. */
async function askOpenAI(): Promise<string> {
  const client = new OpenAI();
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: prompt }];
  const tools = [
    { type: "function" as const, function: { name: "weather", description, parameters } },
  ];
  for (let turns = 0; turns < 10; turns++) {
    const params = { model: "gpt-5.5", max_completion_tokens: 1024, tools, messages };
    const gate = createGate(openaiChat(params.model), { body: params });
    const completion = await client.chat.completions.create(params);
    gate.push(completion);
    const turn = gate.end();
    if (turn.stopReason === "stop") return turn.text;
    if (turn.stopReason !== "tool-use") throw new Error(explain(turn).person);
    messages.push(...completion.choices.slice(0, 1).map(({ message }) => message));
    for (const call of turn.calls)
      messages.push({ role: "tool", tool_call_id: call.id, content: execute(call) });
  }
  throw new Error("No answer after ten turns.");
}

for (const ask of [askAnthropic, askOpenAI])
  try {
    console.log(`${ask.name}: ${await ask()}`);
  } catch (error) {
    console.log(`${ask.name} has no answer:`, error instanceof Error ? error.message : error);
  }
