import { shellCall } from "../action.ts";
import { type Coder, key, prompt } from "../coder.ts";
import { litellmEnv } from "./litellm.ts";

/** https://github.com/openinterpreter/open-interpreter */
export const openInterpreter: Coder = {
  name: "open-interpreter",
  title: "Open Interpreter",
  origin: {
    pypi: "open-interpreter",
    version: "0.4.3",
    // It imports `pkg_resources`, which newer versions have not.
    extra: ["setuptools==80.9.0"],
    interpreters: ["python3.11", "python3.10", "python3"],
  },
  ways: {
    "Chat, execute": {
      wire: "openai-chat",
      action: shellCall("execute", (code) => ({ language: "shell", code })),
      launch: ({ server, program }) => ({
        command: [
          "sh",
          "-c",
          `echo "${prompt}" | "$0" "$@"`,
          program("interpreter"),
          "--auto_run",
          "--disable_telemetry",
          "--offline",
          "--plain",
          "--stdin",
          "--model",
          "openai/loopback-1",
          "--llm_supports_functions",
          "--context_window",
          "100000",
          "--max_tokens",
          "4096",
          "--api_base",
          `${server}/v1`,
          "--api_key",
          key,
        ],
        env: litellmEnv,
      }),
    },
  },
};
