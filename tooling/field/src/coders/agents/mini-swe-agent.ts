import { plainCall, shellCall } from "../action.ts";
import { type Coder, key, prompt } from "../coder.ts";
import { litellmEnv } from "./litellm.ts";

const bash = (command: string): object => ({ command });

/** https://github.com/SWE-agent/mini-swe-agent */
export const miniSweAgent: Coder = {
  name: "mini-swe-agent",
  title: "mini-swe-agent",
  origin: {
    pypi: "mini-swe-agent",
    version: "2.4.6",
    extra: ["mcp==2.3.0"],
    interpreters: ["python3.12", "python3.11", "python3"],
  },
  ways: {
    "Chat in one piece, bash": {
      wire: "openai-chat",
      action: shellCall("bash", bash),
      final: plainCall("bash", bash("echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT")),
      launch: ({ program }) => ({
        command: [
          program("mini"),
          "--yolo",
          "--exit-immediately",
          "--cost-limit",
          "0",
          "--model",
          "openai/loopback-1",
          "--task",
          prompt,
        ],
        env: {
          ...litellmEnv,
          MSWEA_CONFIGURED: "true",
          MSWEA_COST_TRACKING: "ignore_errors",
          OPENAI_API_KEY: key,
        },
      }),
    },
  },
};
