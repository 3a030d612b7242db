import type { LeakedForm } from "../contract/turn.ts";

export interface Form {
  /** Matches the beginning of a call. Without the group `name` the JSON behind it has the name. */
  readonly opens: RegExp;
  /** Ends the call. Without it, a JSON object ends it. */
  readonly closes?: string;
  /** Characters that may follow the JSON object although they mean nothing. */
  readonly debris?: number;
}

/** In the order in which they are tried at one place. Above each are public threads that show it. */
export const forms: Readonly<Record<LeakedForm, Form>> = {
  // EricLBuehler/mistral.rs#2427, lmstudio-ai/lmstudio-bug-tracker#821
  "tool-call-json": {
    opens: /<tool_call>\s*(?=\{)/y,
  },
  // QwenLM/Qwen3-Coder#475, Avarok-Cybersecurity/atlas#205
  "function-tag": {
    opens: /(?:<tool_call>\s*)?<function=(?<name>[\w.:-]{1,128})>\s*(?=<parameter|<\/|\{|$)/y,
    closes: "</function>",
  },
  // getsigit/sigit#95, osaurus-ai/vmlx-swift#228
  "arg-key": {
    opens: /<tool_call>\s*(?<name>[\w.:-]{1,128})\s*(?=<arg_key>|<\/tool_call>)/y,
    closes: "</tool_call>",
  },
  // anthropics/claude-code#72180, anthropics/claude-code#69529, MiniMax-AI/MiniMax-M2.5#10,
  // MiniMax-AI/MiniMax-M3#31
  invoke: {
    opens: /<(?:antml:)?invoke name=["'](?<name>[\w.:-]{1,128})["']>\s*(?=<|\]<\]|$)/y,
    closes: "invoke>",
  },
  // TokenRhythm/opensquilla#985, sgl-project/sglang#40236, vllm-project/vllm#54686
  dsml: {
    opens: /<[|｜‖]{1,2}DSML[|｜‖]{1,2}invoke name="(?<name>[\w.:-]{1,128})">\s*(?=<|$)/y,
    closes: "invoke>",
  },
  // vllm-project/vllm#9059, lmstudio-ai/lmstudio-bug-tracker#797
  "tool-calls-bracket": {
    opens: /\[TOOL_CALLS\]\s*(?:\[\s*(?=\{)|(?<name>[\w.:-]{1,128})(?:\[ARGS\])?\s*(?=\{|$))/y,
  },
  // NousResearch/hermes-agent#15347, timbal-ai/timbal#163
  harmony: {
    opens: /to=functions\.(?<name>[\w-]{1,128})[^\n{]{0,80}\n?(?=\{)/y,
    debris: 24,
  },
  // vllm-project/vllm#39468, vllm-project/vllm#44522
  gemma: {
    opens: /<\|tool_call>\s*(?:call)?:(?<name>[\w.-]{1,128})\s*(?=[{(])/y,
    closes: "<tool_call|>",
  },
  // Without the special token before it, which some servers remove.
  // Gitlawb/openclaude#380, vllm-project/vllm#54256
  "gemma-bare": {
    opens: /call:(?<name>[\w.-]{1,128})(?=\{)/y,
    closes: "}",
  },
  // anomalyco/opencode#8851, vybestack/llxprt-code#749
  "call-begin": {
    opens:
      /<\|tool_call_begin\|>\s*(?:functions\.)?(?<name>[\w.-]{1,128}):\d+\s*<\|tool_call_argument_begin\|>\s*(?=\{|$)/y,
  },
  // google/adk-python#5654
  "tool-sep": {
    opens:
      /<｜tool▁call▁begin｜>(?:function)?(?:<｜tool▁sep｜>)?(?<name>[\w.-]{1,128})(?:<｜tool▁sep｜>)?\s*(?:```json\s*)?(?=\{|$)/y,
  },
  // vllm-project/vllm#16214, raullenchai/Rapid-MLX#703
  "python-tag": {
    opens: /<\|python_(?:tag|start)\|>\s*(?=\{)/y,
  },
  // raullenchai/Rapid-MLX#700, jundot/omlx#1153, vllm-project/vllm#11786
  json: {
    opens: /^\s*(?:\[\s*)?(?=\{)/y,
  },
};
