import { shellCall } from "../action.ts";
import { type Coder, type CoderWay, key, prompt } from "../coder.ts";

const qwenWay = (auth: string, wire: CoderWay["wire"]): CoderWay => ({
  wire,
  action: shellCall("run_shell_command", (command) => ({ is_background: false, command })),
  launch: ({ program }) => ({
    command: [program("qwen"), "--auth-type", auth, "--model", "loopback-1", "--yolo", prompt],
    env: auth === "gemini" ? { GEMINI_API_KEY: key } : {},
  }),
});

/** https://github.com/QwenLM/qwen-code */
export const qwenCode: Coder = {
  name: "qwen-code",
  title: "Qwen Code",
  origin: { npm: "@qwen-code/qwen-code", version: "0.24.4" },
  ways: {
    "Chat, shell": qwenWay("openai", "openai-chat"),
    "Responses, shell": qwenWay("openai-responses", "openai-responses"),
    "Anthropic, shell": qwenWay("anthropic", "anthropic"),
    "Gemini, shell": qwenWay("gemini", "gemini"),
  },
};
