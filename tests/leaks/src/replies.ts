import { cut, type LeakedReply, said } from "./reply.ts";
import { others, tokens } from "./token-replies.ts";

const invokes: readonly LeakedReply[] = [
  said(
    "anthropics/claude-code#72180",
    'I look at the file first.\n\n<invoke name="read">\n<parameter name="path">/srv/app.ts</parameter>\n</invoke>',
  ),
  said(
    "anthropics/claude-code#71508",
    'Let me see.\n\n<invoke name="read">\n<parameter name="path">C:\\srv\\notes.md</parameter>\n</invoke>\n',
  ),
  said(
    "anthropics/claude-code#69529",
    'Sorry, that was wrong. Again:\n\ncourt\n<invoke name="bash">\n<parameter name="command">echo one</parameter>\n<parameter name="description">one</parameter>\n</invoke>',
  ),
  said(
    "anthropics/claude-code#74518",
    '確認します。\n\ncourt\n<invoke name="read">\n<parameter name="path">…\\a.json</parameter>\n</invoke>',
  ),
  said(
    "anthropics/claude-code#68354",
    'call\n<invoke name="bash"><parameter name="command">ls</parameter></invoke>',
  ),
  said(
    "anthropics/claude-code#80463",
    'I commit this.\n<invoke name="bash">\n<parameter name="command">git commit -m "one\n\ntwo"</parameter>\n</invoke>',
  ),
  said(
    "anthropics/claude-code#65705",
    '<function_calls>\n<invoke name="edit">\n<parameter name="path">a.ts</parameter>\n<parameter name="text">const a = 1;</parameter>\n</invoke>\n</function_calls>',
  ),
  said(
    "anthropics/claude-code#73808",
    'Both at once:\n<invoke name="read">\n<parameter name="path">a</parameter>\n</invoke>\n<invoke name="read">\n<parameter name="path">b</parameter>\n</invoke>',
  ),
  cut(
    "anthropics/claude-code#72180",
    'I write it.\n<invoke name="edit">\n<parameter name="path">a.ts</parameter>\n<parameter name="text">export const all = [',
  ),
  cut("anthropics/claude-code#63953", 'Now the test.\n\n<invoke name="bash">\n'),
  said(
    "MiniMax-AI/MiniMax-M2.5#10",
    '<minimax:tool_call>\n  <invoke name="bash">\n    <parameter name="command">pwd</parameter>\n  </invoke>\n</minimax:tool_call>',
  ),
  said(
    "MiniMax-AI/MiniMax-M3#31",
    'I read that part.]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="read">]<]minimax[>[<path>main.rs]<]minimax[>[</path>]<]minimax[>[<from>1]<]minimax[>[</from>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>',
  ),
  said("github/app#1499", "Of course\n<functions><bash>ls -la</functions>"),
];

const dsml: readonly LeakedReply[] = [
  said(
    "TokenRhythm/opensquilla#985",
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="bash">\n<｜DSML｜parameter name="command" string="true">dir</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
  ),
  said(
    "ochafik/minja#11",
    'I search.\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="search">\n<｜DSML｜parameter name="query" string="true">rain</｜DSML｜parameter>\n<｜DSML｜parameter name="count" string="false">10</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="search">\n<｜DSML｜parameter name="query" string="true">雨</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
  ),
  said(
    "sgl-project/sglang#40236",
    '<｜DSML｜invoke name="read">\n<｜DSML｜parameter name="path" string="true">a</｜DSML｜parameter>\n</｜DSML｜invoke>',
  ),
  cut(
    "sgl-project/sglang#40236",
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="edit">\n<｜DSML｜parameter name="text" string="true">line one\nline',
  ),
  said(
    "lsdefine/GenericAgent#804",
    '<‖DSML‖tool_calls><‖DSML‖invoke name="read"><‖DSML‖parameter name="path" string="true">a</‖DSML‖parameter></‖DSML‖invoke></‖DSML‖tool_calls>',
  ),
  said(
    "lsdefine/GenericAgent#804",
    '<｜｜DSML｜｜tool_calls>\n<｜｜DSML｜｜invoke name="read">\n<｜｜DSML｜｜parameter name="path" string="true">b</｜｜DSML｜｜parameter>\n</｜｜DSML｜｜invoke>\n</｜｜DSML｜｜tool_calls>',
  ),
  said(
    "vllm-project/vllm#54686",
    'One record.\n<｜DSML｜tool_calls>\n<｜DSML｜invoke name="search">\n<｜DSML｜parameter name="query" string="true">a</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls><｜end▁of▁sentence｜>',
  ),
];

const tags: readonly LeakedReply[] = [
  said(
    "EricLBuehler/mistral.rs#2427",
    '<tool_call>\n{"name": "read", "arguments": {"path": "/srv"}}\n</tool_call>',
  ),
  said(
    "lmstudio-ai/lmstudio-bug-tracker#821",
    'I look.\n<tool_call>{"name":"bash","arguments":{"command":"ls"}}</tool_call>',
  ),
  said(
    "jundot/omlx#3153",
    'Next I read the file.\n<tool_call>\n{"name": "read", "arguments": {"path": "/srv"}}\n',
  ),
  cut(
    "jundot/omlx#3153",
    '<tool_call>\n{"name": "edit", "arguments": {"path": "a.md", "text": "# Title\\n\\nThe first',
  ),
  said(
    "ollama/ollama#11621",
    '<tool_call>\n{"name": "search", "arguments": {"query": "a"}}\n{"name": "search", "arguments": {"query": "b"}}\n</tool_call>',
  ),
  said(
    "raullenchai/Rapid-MLX#480",
    '<tool_call>{"arguments": {"path": "/srv"}, "name": "read"}</tool_call><|im_end|>',
  ),
  said(
    "waybarrios/vllm-mlx#93",
    '<tool_call>{"name": "read", "arguments": "{\\"path\\": \\"/srv\\"}"}</tool_call>\n<tool_call>{"name": "read", "arguments": "{\\"path\\": \\"/etc\\"}"}</tool_call>',
  ),
  said(
    "QwenLM/Qwen3-Coder#475",
    "I list the files.\n\n<function=bash>\n<parameter=command>\nls -la\n</parameter>\n</function>\n</tool_call>",
  ),
  said(
    "Avarok-Cybersecurity/atlas#205",
    "<tool_call>\n<function=search>\n<parameter=query>\nrain\n</parameter>\n</function>\n</tool_call>",
  ),
  cut(
    "Avarok-Cybersecurity/atlas#205",
    "<tool_call>\n<function=search>\n<parameter=query>\nrain\n</parameter>\n</function>\n</tool_call></_call>\n<tool_call>\n<function=search>\n<parameter=query>\nsnow",
  ),
  said(
    "QwenLM/Qwen3-Coder#457",
    "<function=edit>\n<parameter=command=create</parameter>\n<parameter=path>\na.ts\n</parameter>\n</function>",
  ),
  said("raullenchai/Rapid-MLX#703", '<function=read>{"path": "/srv"}</function>'),
  said(
    "getsigit/sigit#95",
    "<tool_call>bash<arg_key>command</arg_key><arg_value>ls</arg_value></tool_call>",
  ),
  said(
    "Blaizzy/mlx-vlm#2207",
    "I look.\n<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>/srv</arg_value>\n</tool_call>",
  ),
  said(
    "vllm-project/vllm#49248",
    "<tool_call>search<arg_key>query</arg_key>days left</arg_value></tool_call>",
  ),
  said("osaurus-ai/vmlx-swift#228", "<tool_call>list_mailboxes</tool_call>"),
  cut(
    "getsigit/sigit#95",
    "<tool_call>edit<arg_key>path</arg_key><arg_value>a.ts</arg_value><arg_key>text</arg_key><arg_value>let",
  ),
];

/** Leaked calls, in the forms of public threads. */
export const leakedReplies: readonly LeakedReply[] = [
  ...invokes,
  ...dsml,
  ...tags,
  ...tokens,
  ...others,
];

/** The tools that are offered with each of them. */
export const offered: readonly string[] = ["read", "bash", "edit", "search", "list_mailboxes"];
