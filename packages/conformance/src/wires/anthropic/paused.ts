import type { PausedReply } from "../../wire.ts";
import { fieldsOf, objectsIn, pieces } from "../shared.ts";
import { type AnthropicBlock, emptyMessage, messageFrames } from "./frames.ts";

const said = "I will count the rows.";
const serverCall = {
  type: "server_tool_use",
  id: "srvtoolu_014hLx9VqKwTzR3nBmYcPdSe",
  name: "code_execution",
};
const input = { code: "print(sum(1 for _ in open('rows.csv')))" };

const blocks: readonly AnthropicBlock[] = [
  {
    start: { type: "text", text: "" },
    deltas: pieces(said).map((text) => ({ type: "text_delta", text })),
  },
  {
    start: { ...serverCall, input: {} },
    deltas: pieces(JSON.stringify(input)).map((piece) => ({
      type: "input_json_delta",
      partial_json: piece,
    })),
  },
];

/**
 * The loop of a server tool reached its limit: a call of a server tool has no result yet. There is
 * no call of a client's tool: with one the stop reason is `tool_use`, also while a server tool waits.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools
 */
export const anthropicPause: PausedReply = {
  stop: "pause_turn",
  // Tools without a type, and those of the type `custom`, are the client's.
  canFollow: (body) =>
    objectsIn(fieldsOf(body)["tools"]).some(({ type = "custom" }) => type !== "custom"),
  frames: (output) => messageFrames(blocks, { blocks: [], stop: "pause_turn", output }),
  whole: (output) =>
    JSON.stringify({
      ...emptyMessage,
      content: [
        { type: "text", text: said },
        { ...serverCall, input },
      ],
      stop_reason: "pause_turn",
      usage: { ...emptyMessage.usage, output_tokens: output },
    }),
};
