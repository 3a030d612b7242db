import type { LeakedForm } from "../contract/turn.ts";

/** How models write a call as text. */
export interface Form {
  /**
   * Matches the beginning of a call, up to its input. The group `name` is its tool; without it the
   * JSON that follows has the name.
   */
  readonly opens: RegExp;
  /** Ends the call. Without it, a JSON object ends it. */
  readonly closes?: string;
  /** Characters that may follow the JSON object although they mean nothing. */
  readonly debris?: number;
  /** Public threads that show it. */
  readonly sources: readonly string[];
}

/** In the order in which they are tried at one place. */
export const forms: Readonly<Record<LeakedForm, Form>> = {
  "tool-call-json": {
    opens: /<tool_call>\s*(?=\{)/y,
    sources: ["EricLBuehler/mistral.rs#2427", "lmstudio-ai/lmstudio-bug-tracker#821"],
  },
  "function-tag": {
    opens: /(?:<tool_call>\s*)?<function=(?<name>[\w.:-]{1,128})>\s*(?=<parameter|<\/|\{|$)/y,
    closes: "</function>",
    sources: ["QwenLM/Qwen3-Coder#475", "Avarok-Cybersecurity/atlas#205"],
  },
  "arg-key": {
    opens: /<tool_call>\s*(?<name>[\w.:-]{1,128})\s*(?=<arg_key>|<\/tool_call>)/y,
    closes: "</tool_call>",
    sources: ["getsigit/sigit#95", "osaurus-ai/vmlx-swift#228"],
  },
  invoke: {
    opens: /<(?:antml:)?invoke name=["'](?<name>[\w.:-]{1,128})["']>\s*(?=<|\]<\]|$)/y,
    closes: "invoke>",
    sources: [
      "anthropics/claude-code#72180",
      "anthropics/claude-code#69529",
      "MiniMax-AI/MiniMax-M2.5#10",
      "MiniMax-AI/MiniMax-M3#31",
    ],
  },
  dsml: {
    opens: /<[|｜‖]{1,2}DSML[|｜‖]{1,2}invoke name="(?<name>[\w.:-]{1,128})">\s*(?=<|$)/y,
    closes: "invoke>",
    sources: ["TokenRhythm/opensquilla#985", "sgl-project/sglang#40236", "vllm-project/vllm#54686"],
  },
  "tool-calls-bracket": {
    opens: /\[TOOL_CALLS\]\s*(?:\[\s*(?=\{)|(?<name>[\w.:-]{1,128})(?:\[ARGS\])?\s*(?=\{|$))/y,
    sources: ["vllm-project/vllm#9059", "lmstudio-ai/lmstudio-bug-tracker#797"],
  },
  harmony: {
    opens: /to=functions\.(?<name>[\w-]{1,128})[^\n{]{0,80}\n?(?=\{)/y,
    debris: 24,
    sources: ["NousResearch/hermes-agent#15347", "timbal-ai/timbal#163"],
  },
  gemma: {
    opens: /<\|tool_call>\s*(?:call)?:(?<name>[\w.-]{1,128})\s*(?=[{(])/y,
    closes: "<tool_call|>",
    sources: ["vllm-project/vllm#39468", "vllm-project/vllm#44522"],
  },
  // Without the special token before it, which some servers remove.
  "gemma-bare": {
    opens: /call:(?<name>[\w.-]{1,128})(?=\{)/y,
    closes: "}",
    sources: ["Gitlawb/openclaude#380", "vllm-project/vllm#54256"],
  },
  "call-begin": {
    opens:
      /<\|tool_call_begin\|>\s*(?:functions\.)?(?<name>[\w.-]{1,128}):\d+\s*<\|tool_call_argument_begin\|>\s*(?=\{|$)/y,
    sources: ["anomalyco/opencode#8851", "vybestack/llxprt-code#749"],
  },
  "tool-sep": {
    opens:
      /<｜tool▁call▁begin｜>(?:function)?(?:<｜tool▁sep｜>)?(?<name>[\w.-]{1,128})(?:<｜tool▁sep｜>)?\s*(?:```json\s*)?(?=\{|$)/y,
    sources: ["google/adk-python#5654"],
  },
  "python-tag": {
    opens: /<\|python_(?:tag|start)\|>\s*(?=\{)/y,
    sources: ["vllm-project/vllm#16214", "raullenchai/Rapid-MLX#703"],
  },
  json: {
    opens: /^\s*\[?\s*(?=\{)/y,
    sources: ["raullenchai/Rapid-MLX#700", "jundot/omlx#1153", "vllm-project/vllm#11786"],
  },
};
