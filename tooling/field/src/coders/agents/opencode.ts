import { type Action, effectFile, shellCall, writeCall } from "../action.ts";
import { type Coder, type CoderWay, key, prompt } from "../coder.ts";

/** The AI SDK package that speaks each protocol. */
const sdkPackages = {
  "openai-chat": "@ai-sdk/openai-compatible",
  "openai-responses": "@ai-sdk/openai",
  anthropic: "@ai-sdk/anthropic",
  gemini: "@ai-sdk/google",
} as const;

const opencodeConfig = (wire: CoderWay["wire"], server: string): object => ({
  autoupdate: false,
  share: "disabled",
  provider: {
    loopback: {
      npm: sdkPackages[wire],
      name: "Loopback",
      options: { baseURL: `${server}/${wire === "gemini" ? "v1beta" : "v1"}`, apiKey: key },
      models: {
        "loopback-1": {
          name: "Loopback 1",
          tool_call: true,
          limit: { context: 200_000, output: 8192 },
        },
      },
    },
  },
});

const opencodeWay = (wire: CoderWay["wire"], action: Action): CoderWay => ({
  wire,
  action,
  launch: ({ server, program }) => ({
    command: [program("opencode"), "run", "--auto", "--model", "loopback/loopback-1", prompt],
    files: { ".config/opencode/opencode.json": JSON.stringify(opencodeConfig(wire, server)) },
  }),
});

const shell = shellCall("bash", (command) => ({ description: "Writes a file", command }));
const writeFile = writeCall("write", (content) => ({ filePath: effectFile, content }));

/** https://github.com/anomalyco/opencode */
export const opencode: Coder = {
  name: "opencode",
  title: "opencode",
  origin: { npm: "opencode-ai", version: "1.18.33" },
  ways: {
    "Chat, bash": opencodeWay("openai-chat", shell),
    "Chat, write": opencodeWay("openai-chat", writeFile),
    "Responses, bash": opencodeWay("openai-responses", shell),
    "Anthropic, bash": opencodeWay("anthropic", shell),
    "Gemini, bash": opencodeWay("gemini", shell),
  },
};
