export type Part = Readonly<Record<string, unknown>>;
export type Chunk = Readonly<Record<string, unknown>>;

export const usage = { promptTokenCount: 10, candidatesTokenCount: 20, totalTokenCount: 30 };
export const chunk = (...parts: readonly Part[]): Chunk => ({
  candidates: [{ content: { parts, role: "model" }, index: 0 }],
});
export const end = (
  finishReason: string | undefined,
  candidate: object = {},
  counts: object = usage,
): Chunk => ({
  candidates: [
    {
      content: { parts: [{ text: "" }], role: "model" },
      index: 0,
      ...(finishReason !== undefined && { finishReason }),
      ...candidate,
    },
  ],
  usageMetadata: counts,
  modelVersion: "gemini-3.1-pro",
  responseId: "response_1",
});
export const text = (content: string): Part => ({ text: content });
export const call = (name: string, args?: object, rest: object = {}): Part => ({
  functionCall: { name, ...(args && { args }) },
  ...rest,
});
export const reply = (finishReason: string, ...parts: readonly Part[]): readonly Chunk[] => [
  ...parts.map((part) => chunk(part)),
  end(finishReason),
];

export const bytes = (chunks: readonly Chunk[]): string =>
  chunks.map((one) => `data: ${JSON.stringify(one)}\r\n\r\n`).join("");
