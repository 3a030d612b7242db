import { effectFile, firstText, secondText, textAction } from "../action.ts";
import { type Coder, prompt } from "../coder.ts";
import { litellmEnv } from "./litellm.ts";

/** https://github.com/Aider-AI/aider */
export const aider: Coder = {
  name: "aider",
  title: "aider",
  origin: {
    pypi: "aider-chat",
    version: "0.86.2",
    interpreters: ["python3.12", "python3.11", "python3"],
  },
  note: "It offers no tools and edits files by the text of a reply, so a guard of tool calls does not reach it. The gateway ends an unfinished text as an error. aider then asks again up to nine times, and in the end applies what it got.",
  ways: {
    "Chat, text": {
      wire: "openai-chat",
      action: textAction([`${effectFile}\n\`\`\`\n${firstText}\n`, `${secondText}\n`, "```\n"]),
      launch: ({ program }) => ({
        command: [
          program("aider"),
          "--yes-always",
          "--no-git",
          "--no-show-model-warnings",
          "--no-check-update",
          "--analytics-disable",
          "--model",
          "openai/loopback-1",
          "--message",
          prompt,
          effectFile,
        ],
        env: litellmEnv,
      }),
    },
  },
};
