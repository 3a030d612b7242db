import { shellCall } from "../action.ts";
import { type Coder, type CoderWay, key, prompt } from "../coder.ts";

/** The names of the protocols in pi, and what follows the server in the base URL. */
const apis = {
  "openai-chat": ["openai-completions", "/v1"],
  "openai-responses": ["openai-responses", "/v1"],
  anthropic: ["anthropic-messages", ""],
  gemini: ["google-generative-ai", "/v1beta"],
} as const;

const models = (wire: CoderWay["wire"], server: string): object => {
  const [api, path] = apis[wire];
  return {
    providers: {
      loopback: {
        baseUrl: `${server}${path}`,
        api,
        apiKey: key,
        models: [{ id: "loopback-1", contextWindow: 200_000, maxTokens: 8192 }],
      },
    },
  };
};

const piWay = (wire: CoderWay["wire"]): CoderWay => ({
  wire,
  action: shellCall("bash", (command) => ({ command })),
  launch: ({ server, program }) => ({
    command: [program("pi"), "--print", "--offline", "--model", "loopback/loopback-1", prompt],
    files: { ".pi/agent/models.json": JSON.stringify(models(wire, server)) },
  }),
});

/** https://github.com/earendil-works/pi */
export const pi: Coder = {
  name: "pi",
  title: "pi",
  origin: { npm: "@earendil-works/pi-coding-agent", version: "1.6.0" },
  ways: {
    "Chat, bash": piWay("openai-chat"),
    "Responses, bash": piWay("openai-responses"),
    "Anthropic, bash": piWay("anthropic"),
    "Gemini, bash": piWay("gemini"),
  },
};
