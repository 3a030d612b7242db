import type { Modelfile } from "./ollama.ts";
import { type Script, startOf } from "./scripted-model.ts";

/** What a model of the tests writes, and how Ollama reads it. */
export interface OllamaReply extends Script {
  /** One of Ollama's own parsers. Without it the tags of the template are looked for. */
  readonly parser?: string;
  /** The inputs of the calls that the whole reply holds. */
  readonly inputs: readonly unknown[];
  /** Whether the template has a place for thinking. */
  readonly thinks?: boolean;
  /** Whether the template writes calls without a tag. Then a text that begins with `{` may be one. */
  readonly untagged?: boolean;
}

const sentence = "The sea is calm, and 3 ships wait near the old harbour.";
const input = { path: "notes.txt", text: sentence };
const first = { path: "a.md", text: "Done." };
const second = { path: "b.md", text: "Nothing else is left to do today." };
const jsonOf = (args: object): string => JSON.stringify({ name: "write", arguments: args });
const taggedCall = (args: object): string => `<tool_call>\n${jsonOf(args)}\n</tool_call>`;

/** Replies that Ollama reads with the tags of a template. */
export const replies = {
  "one-call": { text: taggedCall(input), inputs: [input] },
  "two-calls": { text: `${taggedCall(first)}\n${taggedCall(second)}`, inputs: [first, second] },
  text: {
    text: `${sentence} The crew has left, and no one knows when they will return.`,
    inputs: [],
  },
  thinking: {
    text: `<think>I must write it down.</think>${taggedCall(input)}`,
    inputs: [input],
    thinks: true,
  },
  untagged: { text: jsonOf(input), inputs: [input], untagged: true },
} as const satisfies Readonly<Record<string, OllamaReply>>;

const xmlCall = `<tool_call>
<function=write>
<parameter=path>
notes.txt
</parameter>
<parameter=text>
${sentence}
</parameter>
</function>
</tool_call>`;
const pythonCall = `write(path="notes.txt", text="${sentence}")`;
const quote = "<escape>";
const json = JSON.stringify(input);
const thought = "I must write it down.</think>";

/** The same call as Ollama's own parsers read it. A tag with `\u2581` is of DeepSeek's tokenizer. */
const parserTexts: Readonly<Record<string, string>> = {
  cogito: `<｜tool\u2581calls\u2581begin｜><｜tool\u2581call\u2581begin｜>function<｜tool\u2581sep｜>write\n\`\`\`json\n${json}\n\`\`\`<｜tool\u2581call\u2581end｜><｜tool\u2581calls\u2581end｜>`,
  deepseek3: `${thought}<｜tool\u2581calls\u2581begin｜><｜tool\u2581call\u2581begin｜>write<｜tool\u2581sep｜>${json}<｜tool\u2581call\u2581end｜><｜tool\u2581calls\u2581end｜>`,
  functiongemma: `<start_function_call>call:write{path:${quote}notes.txt${quote},text:${quote}${sentence}${quote}}<end_function_call>`,
  "glm-4.7": `${thought}<tool_call>write\n<arg_key>path</arg_key>\n<arg_value>notes.txt</arg_value>\n<arg_key>text</arg_key>\n<arg_value>${sentence}</arg_value>\n</tool_call>`,
  harmony: `<|channel|>commentary to=functions.write <|constrain|>json<|message|>${json}`,
  lfm2: `<|tool_call_start|>[${pythonCall}]<|tool_call_end|>`,
  ministral: `[TOOL_CALLS]write[ARGS]${json}`,
  "nemotron-3-nano": `${thought}${xmlCall}`,
  olmo3: `<function_calls>\n${pythonCall}\n</function_calls>`,
  qwen3: taggedCall(input),
  "qwen3-coder": xmlCall,
  "qwen3-vl-instruct": taggedCall(input),
};

/** One call for each parser of Ollama that reads calls. */
export const parserReplies: Readonly<Record<string, OllamaReply>> = Object.fromEntries(
  Object.entries(parserTexts).map(([parser, text]) => [parser, { parser, text, inputs: [input] }]),
);

/** A whole call, and then one word for ever: Ollama ends such a reply early. */
export const stuck: OllamaReply = {
  text: `${taggedCall(input)}\nAnd`,
  loop: " so",
  inputs: [input],
};
/** A text without an end. */
export const endless: OllamaReply = {
  text: "Once more:",
  loop: " up the hill, down the hill,",
  inputs: [],
};

/** A template as published models have it: tools first, calls in tags. */
export function modelfileOf(name: string, reply: OllamaReply): Modelfile {
  const { parser, thinks, untagged } = reply;
  const thought = thinks ? "{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}" : "";
  const [open, close] = untagged ? ["", ""] : ["<tool_call>\n", "</tool_call>"];
  const template = `{{ if .Tools }}Tools: {{ .Tools }}
{{ end }}{{ range .Messages }}{{ .Role }}: ${thought}{{ .Content }}{{ if .ToolCalls }}${open}
{{- range .ToolCalls }}{"name": "{{ .Function.Name }}", "arguments": {{ .Function.Arguments }}}
{{ end }}${close}{{ end }}
{{ end }}${startOf(name)}`;
  return {
    template,
    parameters: { temperature: 0, num_ctx: 2048, num_thread: 1 },
    ...(parser !== undefined && { parser }),
  };
}
