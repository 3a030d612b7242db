import { aider } from "./agents/aider.ts";
import { cline } from "./agents/cline.ts";
import { codex } from "./agents/codex.ts";
import { continueCli } from "./agents/continue.ts";
import { geminiCli } from "./agents/gemini-cli.ts";
import { miniSweAgent } from "./agents/mini-swe-agent.ts";
import { mistralVibe } from "./agents/mistral-vibe.ts";
import { openInterpreter } from "./agents/open-interpreter.ts";
import { opencode } from "./agents/opencode.ts";
import { pi } from "./agents/pi.ts";
import { qwenCode } from "./agents/qwen-code.ts";
import type { Coder } from "./coder.ts";

/** The measured agents, in the order of the report. */
export const coders: readonly Coder[] = [
  codex,
  geminiCli,
  opencode,
  qwenCode,
  pi,
  continueCli,
  cline,
  mistralVibe,
  miniSweAgent,
  openInterpreter,
  aider,
];
