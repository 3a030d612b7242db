import type { FileBlock, ImageBlock, TextBlock } from "@fullstop/core";
import { validateInput } from "@fullstop/core/adapter";
import type { ToolResult } from "@fullstop/loop";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { messageOf } from "./connection.ts";
import { sortedJson } from "./digest.ts";
import type { ListedTool } from "./server-tool.ts";

type Block = TextBlock | ImageBlock | FileBlock;
type Of<Type extends ContentBlock["type"]> = Extract<ContentBlock, { type: Type }>;

const text = (content: string): TextBlock => ({ type: "text", text: content });

function media(mediaType: string, data: string, name?: string): Block {
  if (mediaType.startsWith("image/")) return { type: "image", mediaType, data };
  return { type: "file", mediaType, data, ...(name !== undefined && { name }) };
}

const readers: { readonly [Type in ContentBlock["type"]]: (block: Of<Type>) => Block } = {
  text: (block) => text(block.text),
  image: ({ mimeType, data }) => media(mimeType, data),
  audio: ({ mimeType, data }) => media(mimeType, data, `audio.${mimeType.split("/")[1]}`),
  resource: ({ resource }) => {
    if ("text" in resource) return text(`Resource ${resource.uri}:\n${resource.text}`);
    const { uri, mimeType = "application/octet-stream", blob } = resource;
    return media(mimeType, blob, uri.split("/").pop() || uri);
  },
  resource_link: ({ uri, name, title, description, mimeType }) =>
    text(
      [`Link to the resource ${title ?? name}: ${uri}`, mimeType, description]
        .filter((part) => part !== undefined)
        .join("\n"),
    ),
};

/** A block of a type that the SDK adds later is given to the model as JSON. */
function readBlock(block: ContentBlock): Block {
  const read: ((block: never) => Block) | undefined = Object.hasOwn(readers, block.type)
    ? readers[block.type]
    : undefined;
  return read === undefined ? text(JSON.stringify(block)) : read(block as never);
}

/** The tool has run, so the model must not take an output that cannot be read for a failed call. */
export async function toToolResult(result: CallToolResult, tool: ListedTool): Promise<ToolResult> {
  try {
    return await readResult(result, tool);
  } catch (thrown) {
    return withoutOutput(tool, `it cannot be read (${messageOf(thrown)}).`);
  }
}

const withoutOutput = ({ name }: ListedTool, problem: string): ToolResult => ({
  isError: true,
  content: `${name} ran, but its output is left out: ${problem} Do not call it again only to see the output.`,
});

/** `structuredContent` must match the `outputSchema`. The model gets it as text, but only once. */
async function readResult(
  { content = [], structuredContent, isError = false }: CallToolResult,
  tool: ListedTool,
): Promise<ToolResult> {
  const { name, outputSchema } = tool;
  if (outputSchema !== undefined && !isError) {
    const problem = await outputProblem(structuredContent, outputSchema);
    if (problem !== undefined)
      return withoutOutput(tool, `it is not what its definition says: ${problem}`);
  }
  const blocks = content.map(readBlock);
  if (structuredContent !== undefined && !isInText(blocks, structuredContent))
    blocks.push(text(JSON.stringify(structuredContent)));
  return { content: blocks.length > 0 ? blocks : `${name} finished. It has no output.`, isError };
}

async function outputProblem(
  structured: unknown,
  schema: NonNullable<ListedTool["outputSchema"]>,
): Promise<string | undefined> {
  if (structured === undefined) return "it has no structured content.";
  const checked = await validateInput(schema, structured);
  return "value" in checked ? undefined : `${checked.issues.join("; ")}.`;
}

/** As JSON, or each of its members as it is, such as the `content` of a file. */
function isInText(blocks: readonly Block[], structured: unknown): boolean {
  const texts = blocks.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const wanted = sortedJson(structured);
  const isObject = typeof structured === "object" && structured !== null;
  const members: readonly unknown[] = isObject ? Object.values(structured) : [structured];
  return (
    texts.some((one) => sortedText(one) === wanted) ||
    (members.length > 0 && members.every((member) => texts.some((one) => one === member)))
  );
}

function sortedText(json: string): string | undefined {
  try {
    return sortedJson(JSON.parse(json));
  } catch {
    return undefined;
  }
}
