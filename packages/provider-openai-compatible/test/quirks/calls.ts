import {
  type Chunk,
  type Quirk,
  rewriting,
  rewritingCalls,
  type ToolDelta,
  withCalls,
} from "./chunks.ts";

const isHead = ({ function: { name } }: ToolDelta): boolean => typeof name === "string";
const argumentsOf = (calls: readonly ToolDelta[]): string =>
  calls.map((call) => call.function.arguments).join("");
/** The deltas of the current input. */
const current = (earlier: readonly ToolDelta[]): readonly ToolDelta[] =>
  earlier.slice(Math.max(0, earlier.findLastIndex(isHead)));
const callsIn = (chunk: Chunk): readonly ToolDelta[] => chunk.choices[0]?.delta.tool_calls ?? [];

/** The reply with each call complete in one chunk. */
const wholeCallsAs = (change: (call: ToolDelta) => ToolDelta): Quirk =>
  rewriting((chunks) =>
    chunks.flatMap((chunk, n) => {
      const [head] = callsIn(chunk);
      if (head === undefined) return [chunk];
      if (!isHead(head)) return [];
      const rest = chunks.slice(n + 1).map(callsIn);
      const end = rest.findIndex(([next]) => next === undefined || isHead(next));
      const written = argumentsOf([head, ...rest.slice(0, end < 0 ? undefined : end).flat()]);
      return [
        withCalls(chunk, [change({ ...head, function: { ...head.function, arguments: written } })]),
      ];
    }),
  );

/** Ollama, xAI. */
export const wholeCalls: Quirk = wholeCallsAs((call) => call);
/** Gemini's endpoint: openai-python#2806. */
export const withoutIndex: Quirk = wholeCallsAs(({ index: _, ...call }) => call);

/** SGLang #6310: every call has the index 0. */
export const sameIndex: Quirk = rewritingCalls((call) => [{ ...call, index: 0 }]);
/** Qwen: later deltas have an empty id, and the last one no arguments. */
export const emptyIds: Quirk = rewritingCalls((call) =>
  isHead(call)
    ? [
        call,
        {
          index: call.index ?? 0,
          id: "",
          type: "function",
          function: { name: null, arguments: null },
        },
      ]
    : [{ ...call, id: "", function: { ...call.function, name: "" } }],
);
/** LiteLLM before OCI (litellm#40040): another id in each delta. */
export const rotatingIds: Quirk = rewritingCalls((call, earlier) =>
  isHead(call)
    ? [call]
    : [{ ...call, id: `call_${earlier.length}`, function: { ...call.function, name: "" } }],
);
/** MiniMax on NIM (hermes-agent#8259): the name again in each delta. */
export const repeatedNames: Quirk = rewritingCalls((call, earlier) => {
  const name = isHead(call) ? call.function.name : current(earlier)[0]?.function.name;
  return [{ ...call, function: { ...call.function, ...(typeof name === "string" && { name }) } }];
});
/** hermes-agent#35718: each delta holds the arguments from the beginning. */
export const restatedArguments: Quirk = rewritingCalls((call, earlier) =>
  isHead(call)
    ? [call]
    : [{ ...call, function: { arguments: argumentsOf([...current(earlier), call]) } }],
);
/** A gateway that sends another id, and the name, with each delta. */
export const rotatingAll: Quirk = rewritingCalls((call, earlier) => {
  if (isHead(call)) return [call];
  return [
    {
      ...call,
      id: `call_${earlier.length}`,
      function: { ...call.function, name: current(earlier)[0]?.function.name ?? null },
    },
  ];
});
