import { cut, type LeakedReply, said, thought } from "./reply.ts";

/** Special tokens of models, and JSON without any. */
export const tokens: readonly LeakedReply[] = [
  said("vllm-project/vllm#9059", '[TOOL_CALLS][{"name": "read", "arguments": {"path": "/srv"}}]'),
  said(
    "ml-explore/mlx-lm#1374",
    '[TOOL_CALLS] [{"name": "search", "arguments": {"query": "2+3"}}]',
  ),
  said(
    "vllm-project/vllm#5649",
    '[TOOL_CALLS][{"name": "search", "arguments": {"query": "Lyon"}}, {"name": "search", "arguments": {"query": "Bonn"}}]',
  ),
  said("lmstudio-ai/lmstudio-bug-tracker#797", '[TOOL_CALLS]read[ARGS]{"path": "/srv"}'),
  said(
    "ml-explore/mlx-lm#1448",
    '[TOOL_CALLS]search[ARGS]{"query": "Lyon"}[TOOL_CALLS]search[ARGS]{"query": "Bonn"}',
  ),
  said(
    "ml-explore/mlx-lm#1643",
    '[TOOL_CALLS][{"name": "read", "arguments": {"path": "a"}, "id": "abcdefghi"}]</s>',
  ),
  cut("sgl-project/sglang#35565", '[TOOL_CALLS]edit[ARGS]{"path": "a.md", "text": "One'),
  said(
    "NousResearch/hermes-agent#15347",
    'I search for it. to=functions.search {"query":"embassy"}',
  ),
  said("NousResearch/hermes-agent#90273", 'assistant to=functions.search {"query":"embassy"}'),
  said("timbal-ai/timbal#163", 'to=functions.search  (json 恒一\n{"query":"ui"}ંалда'),
  said(
    "openai/codex#13114",
    '<|start|>assistant<|channel|>commentary to=functions.bash <|constrain|>json<|message|>{"command":"ls"}<|call|>',
  ),
  said(
    "jundot/omlx#2143",
    '<|channel|>analysis to=functions.read code<|message|>{"path":"/srv"}<|call|>',
  ),
  said("anomalyco/opencode#15164", 'commentary to=functions.read json\n{"path":"/srv"}'),
  cut("can1357/oh-my-pi#1660", 'to=functions.edit json {"path":"a.ts","text":"let a'),
  said(
    "vllm-project/vllm#39468",
    '<|tool_call>call:search{query:<|"|>poll<|"|>,count:20000}<tool_call|>',
  ),
  said(
    "vllm-project/vllm#44522",
    'I search.\n<|tool_call>call:search{query:<|"|>rain<|"|>}<tool_call|><|tool_call>call:search{query:<|"|>snow<|"|>}<tool_call|>',
  ),
  said("vllm-project/vllm#53431", '<|tool_call>:read{path:<|"|>/srv<|"|>}<tool_call|>'),
  said(
    "NousResearch/hermes-agent#7449",
    '<|tool_call>call:search(query: "rain", count: 3)<tool_call|>',
  ),
  said("Gitlawb/openclaude#380", "thought\ncall:edit{text:hello,path:a.txt}"),
  thought(
    "vllm-project/vllm#54256",
    'I look at the place of the crash.\n<channel|>call:bash{command:<|"|>cat a.c<|"|>}',
  ),
  cut("vllm-project/vllm#50512", '<|tool_call>call:edit{path:<|"|>a.md<|"|>,text:<|"|>One'),
];

export const others: readonly LeakedReply[] = [
  thought(
    "vybestack/llxprt-code#749",
    'I start with the structure. <|tool_calls_section_begin|> <|tool_call_begin|> functions.read:0 <|tool_call_argument_begin|> {"path": "/srv"} <|tool_call_end|> <|tool_calls_section_end|>',
  ),
  thought(
    "anomalyco/opencode#8851",
    'The files first. <|tool_calls_section_begin|> <|tool_call_begin|> functions.bash:0 <|tool_call_argument_begin|> {"command": "ls"} <|tool_call_end|> <|tool_call_begin|> functions.search:1 <|tool_call_argument_begin|> {"query": "*.ts"} <|tool_call_end|> <|tool_calls_section_end|',
  ),
  said(
    "BerriAI/litellm#12679",
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path":"/srv"}<|tool_call_end|><|tool_calls_section_end|>',
  ),
  said(
    "ggml-org/llama.cpp#17376",
    "<|tool_call_section_begin|><|tool_call_begin|>read:3<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_call_section_end|>",
  ),
  said(
    "google/adk-python#5654",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>search\n```json\n{"query":"a"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ),
  said(
    "google/adk-python#5654",
    'I search.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>search<｜tool▁sep｜>{"query":"a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ),
  said(
    "vllm-project/vllm#16214",
    '<|python_start|>{"name": "search", "parameters": {"query": "news"}}<|python_end|>',
  ),
  said(
    "meta-llama/llama-models#266",
    '<|python_tag|>{ "type": "function", "name": "search", "parameters": {"query": "rain"}}',
  ),
  said("meta-llama/llama-models#266", '<|python_tag|>search(query="rain")'),
  said("raullenchai/Rapid-MLX#700", '{"name": "search", "parameters": {"query": "你好"}}'),
  said("jundot/omlx#1153", '{"name": "search", "parameters": {"query": "Paris"}}\n'),
  said(
    "vllm-project/vllm#11786",
    '{"type": "function", "function": {"name": "search", "parameters": {"query": "Perth"}}',
  ),
  said(
    "open-webui/open-webui#16076",
    '[{"name": "search", "arguments": {"query": "a"}}, {"name": "read", "arguments": {"path": "b"}}]',
  ),
  said(
    "ollama/ollama#13519",
    '```json\n{"name": "search", "parameters": {"query": "install"}}\n```',
  ),
  thought(
    "vllm-project/vllm#46079",
    "The user wants the file. I read it.\n<tool_call>\n<function=read>\n<parameter=path>\n/srv\n</parameter>\n</function>\n</tool_call>",
  ),
];
