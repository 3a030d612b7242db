/** Blocks and messages of short histories, in the shape of the core. */
export interface User {
  readonly role: "user";
  readonly content: string;
}
export const user = (content: string): User => ({ role: "user", content });

export interface Assistant<Blocks, From> {
  readonly role: "assistant";
  readonly from: From;
  readonly content: Blocks;
}
export const assistantOf =
  <From>(from: From) =>
  <const Blocks extends readonly unknown[]>(...content: Blocks): Assistant<Blocks, From> => ({
    role: "assistant",
    from,
    content,
  });

export interface CallBlock {
  readonly type: "tool-call";
  readonly id: string;
  readonly name: string;
  readonly inputText: string;
}
export const call = (id: string, name = "read", inputText = "{}"): CallBlock => ({
  type: "tool-call",
  id,
  name,
  inputText,
});

export interface Results<Blocks> {
  readonly role: "tool";
  readonly content: Blocks;
}
export const results = <const Blocks extends readonly unknown[]>(
  ...content: Blocks
): Results<Blocks> => ({
  role: "tool",
  content,
});

export interface ResultBlock<Content> {
  readonly type: "tool-result";
  readonly id: string;
  readonly name: "read";
  readonly content: Content | "ok";
}
export const result = <const Content = "ok">(
  id: string,
  content: Content | "ok" = "ok",
): ResultBlock<Content> => ({ type: "tool-result", id, name: "read", content });

export interface Image {
  readonly type: "image";
  readonly mediaType: "image/png";
  readonly data: string;
}
export const image: Image = { type: "image", mediaType: "image/png", data: "AAAA" };

export interface ReadTool {
  readonly name: "read";
  readonly description: string;
  readonly inputSchema: { readonly [member: string]: unknown };
}
export const read: ReadTool = {
  name: "read",
  description: "Reads.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
};
