import Anthropic from "@anthropic-ai/sdk";
import { readTurn, type TurnRequest } from "@fullstop/core";
import { anthropic } from "@fullstop/provider-anthropic";

/** Reads one reply from a base URL and says how many characters of text and tool input it found. */
export type Contender = (baseURL: string) => Promise<number>;

const model = "bench";
const prompt = "Write the file.";
const maxTokens = 4096;
const apiKey = "none";

/** A program makes its client once, and asks it often. */
const clientOf = perURL((baseURL) => new Anthropic({ baseURL, apiKey, maxRetries: 0 }));
const adapterOf = perURL((baseURL) => anthropic(model, { baseURL, apiKey }));

function perURL<Made>(make: (baseURL: string) => Made): (baseURL: string) => Made {
  const made = new Map<string, Made>();
  return (baseURL) => {
    const one = made.get(baseURL) ?? make(baseURL);
    made.set(baseURL, one);
    return one;
  };
}

/** What no reader can do without: the request, the decoding, the frames and their JSON. */
const floor: Contender = async (baseURL) => {
  const body = JSON.stringify({ model, max_tokens: maxTokens, stream: true, messages: [{ role: "user", content: prompt }] });
  const response = await fetch(`${baseURL}/v1/messages`, { method: "POST", headers: { "content-type": "application/json" }, body });
  if (response.body === null) throw new Error("a reply without a body");
  const decoder = new TextDecoder();
  let rest = "";
  let characters = 0;
  for await (const chunk of response.body) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) {
      const event = JSON.parse(frame.slice(frame.indexOf("data: ") + "data: ".length));
      if (event.type === "content_block_delta") characters += (event.delta.partial_json ?? event.delta.text).length;
    }
  }
  return characters;
};

/** The events of the vendor's SDK, nothing made of them. */
const sdk: Contender = async (baseURL) => {
  let characters = 0;
  for await (const event of await clientOf(baseURL).messages.create({
    model,
    max_tokens: maxTokens,
    stream: true,
    messages: [{ role: "user", content: prompt }],
  })) {
    if (event.type !== "content_block_delta") continue;
    if (event.delta.type === "input_json_delta") characters += event.delta.partial_json.length;
    if (event.delta.type === "text_delta") characters += event.delta.text.length;
  }
  return characters;
};

const request: TurnRequest = { messages: [{ role: "user", content: prompt }], maxTokens };

/** From the request to the settled turn: text joined, input parsed, the gate's verdict given. */
const fullstop: Contender = async (baseURL) => {
  const turn = await readTurn(adapterOf(baseURL), request);
  if (turn.stopReason === "stop") return turn.text.length;
  if (turn.stopReason !== "tool-use") throw new Error(`the gate says ${turn.stopReason}`);
  return turn.message.content.reduce((sum, block) => sum + (block.type === "tool-call" ? block.inputText.length : 0), 0);
};

export const contenders = { floor, sdk, fullstop };
export type Name = keyof typeof contenders;
export const names: readonly Name[] = ["floor", "sdk", "fullstop"];
