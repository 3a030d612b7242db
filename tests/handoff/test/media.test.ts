import { answerEvents, type Serving, serve } from "@fullstop/conformance/server";
import { geminiWire } from "@fullstop/conformance/wires/gemini";
import { interactionsWire } from "@fullstop/conformance/wires/gemini-interactions";
import { openaiResponsesWire } from "@fullstop/conformance/wires/openai-responses";
import { run } from "@fullstop/loop";
import { google, googleInteractions } from "@fullstop/provider-google";
import { openai } from "@fullstop/provider-openai";
import { expect, onTestFinished, test } from "vitest";

const bytes = "iVBORw0KGgo=";
const image = { type: "image_generation_call", id: "ig_1", status: "completed", result: bytes };
const step = { type: "model_output" };
const piece = { type: "image", data: bytes, mime_type: "image/png" };

const providers = [
  {
    name: "Gemini",
    wire: geminiWire,
    events: [
      {
        candidates: [
          {
            content: { parts: [{ inlineData: { mimeType: "image/png", data: bytes } }] },
            finishReason: "STOP",
          },
        ],
      },
    ],
    adapter: (baseURL: string) => google("gemini-3.1-flash-image", { apiKey: "key", baseURL }),
  },
  {
    name: "Interactions",
    wire: interactionsWire,
    events: [
      { event_type: "interaction.created", interaction: { id: "", status: "in_progress" } },
      { event_type: "step.start", index: 0, step },
      { event_type: "step.delta", index: 0, delta: piece },
      { event_type: "step.stop", index: 0 },
      { event_type: "interaction.completed", interaction: { id: "", status: "completed" } },
    ],
    adapter: (baseURL: string) =>
      googleInteractions("gemini-3.1-flash-image", { apiKey: "key", baseURL }),
  },
  {
    name: "Responses",
    wire: openaiResponsesWire,
    events: [
      { type: "response.output_item.done", output_index: 0, item: image },
      {
        type: "response.completed",
        response: { id: "resp_1", status: "completed", output: [image] },
      },
    ],
    adapter: (baseURL: string) => openai("gpt-5.5", { apiKey: "key", baseURL: `${baseURL}/v1` }),
  },
] as const;

test.each(providers)("an image of $name is an answer, and is requested once", async (provider) => {
  const events = provider.events.map((event) => JSON.stringify(event));
  const server: Serving = await serve(() => answerEvents(provider.wire, events));
  onTestFinished(() => server.close());
  const outcome = await run({ adapter: provider.adapter(server.url), prompt: "Draw." }).outcome();
  expect(outcome).toMatchObject({ status: "done", turns: 1, text: "" });
  expect(outcome).not.toHaveProperty("empty");
  expect(JSON.stringify(outcome.messages)).toContain(bytes);
  expect(server.requests).toHaveLength(1);
});
