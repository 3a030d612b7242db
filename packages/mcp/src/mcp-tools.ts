import type { BeforeTurn, NativeTool, Tool } from "@fullstop/loop";
import type { Client, ElicitRequestParams } from "@modelcontextprotocol/client";
import type { Caller } from "./call.ts";
import { assertOptions } from "./check-options.ts";
import { connectionTo, messageOf, type Prepare } from "./connection.ts";
import { checkedAnswer } from "./elicit.ts";
import { findDoubled } from "./names.ts";
import { createNews, type News } from "./news.ts";
import type { McpOptions, ToolServer } from "./options.ts";
import { type ListedTool, prepareTool, readDefinition, serverTool } from "./server-tool.ts";
import { toTool } from "./to-tool.ts";

/** The tools of servers, for a run. */
export interface McpTools {
  /** Your own tools and those of the servers, as they are now. For `tools` of `run`. */
  readonly tools: readonly (Tool | NativeTool)[];
  /**
   * For `beforeTurn` of `run`: if a server changed its list, the next request has the new tools. The
   * calls of a turn run with the tools that its request had.
   */
  readonly beforeTurn: BeforeTurn;
  /** Ends the connections that `mcpTools` made. */
  close(): Promise<void>;
}

const defaultTimeoutMs = 60_000;
const defaultTotalTimeoutMs = 600_000;

interface Source {
  readonly server: ToolServer;
  readonly caller: Caller;
  readonly news: News;
  listed: readonly ListedTool[];
}

/**
 * Connects to MCP servers, and makes tools for a run out of theirs. Call `close` in the end.
 * A tool of a server that cannot be used is left out, and reported to `onWarning`.
 * @throws TypeError for options that cannot work, and for two tools of your own with one name. Error
 * if a server cannot be reached, or its tools cannot be listed.
 */
export async function mcpTools(
  servers: readonly ToolServer[],
  options: McpOptions = {},
): Promise<McpTools> {
  assertOptions(servers, options);
  const sources = servers.map((server) => sourceOf(server, options));
  const close = async (): Promise<void> => {
    await Promise.all(sources.map(({ caller }) => caller.connection.close()));
  };
  const leaveOut: LeaveOut = (problem) => void options.onWarning?.(problem);
  const list = (source: Source): Promise<readonly ListedTool[]> => listTools(source, leaveOut);
  const compose = (): readonly (Tool | NativeTool)[] => composeTools(sources, options, leaveOut);
  let tools: readonly (Tool | NativeTool)[];
  try {
    for (const [index, listed] of (await Promise.all(sources.map(list))).entries())
      (sources[index] as Source).listed = listed;
    tools = compose();
  } catch (thrown) {
    await close();
    throw thrown;
  }
  const first = tools;
  const refresh = async (source: Source): Promise<void> => {
    const before = source.listed;
    try {
      const listed = await list(source);
      if (isSameList(before, listed)) return;
      source.listed = listed;
      tools = compose();
    } catch (thrown) {
      source.listed = before;
      source.news.markDue();
      options.onWarning?.(staleListError(source, thrown));
    }
  };
  return {
    get tools() {
      return tools;
    },
    beforeTurn: async () => {
      for (const source of sources) if (source.news.isDue()) await refresh(source);
      return tools === first ? undefined : { tools };
    },
    close,
  };
}

function sourceOf(server: ToolServer, options: McpOptions): Source {
  const { timeoutMs = defaultTimeoutMs, totalTimeoutMs = defaultTotalTimeoutMs } = server;
  const connection = connectionTo(server, options, liveHandlers(server, options));
  const news = createNews(server.name, options, connection);
  return { server, caller: { connection, options, timeoutMs, totalTimeoutMs }, news, listed: [] };
}

/** The tools of a server that the model gets. The SDK reads all pages, up to 64. */
async function listTools(
  { server, caller, news, listed }: Source,
  leaveOut: LeaveOut,
): Promise<readonly ListedTool[]> {
  const client = await caller.connection.client();
  await news.expect(client);
  const options = { cacheMode: "refresh", timeout: caller.timeoutMs } as const;
  const { tools } = await client.listTools(undefined, options).catch((cause: unknown) => {
    throw new Error(
      `The tools of the server "${server.name}" cannot be listed: ${messageOf(cause)}`,
      { cause },
    );
  });
  const read = await Promise.all(
    tools.map((tool) => readDefinition(server, tool).catch((thrown: Error) => leaveOut(thrown))),
  );
  const all = read.filter((tool) => tool !== undefined);
  const kept = all.filter((tool) => server.filter?.(tool) ?? true);
  return inOrderOf(listed, await Promise.all(kept.map(prepareTool)));
}

/** Tools that are known keep their places: another order makes the provider's cache useless. */
function inOrderOf(
  known: readonly ListedTool[],
  listed: readonly ListedTool[],
): readonly ListedTool[] {
  const places = new Map(known.map(({ tool }, place) => [tool, place]));
  const placeOf = ({ tool }: ListedTool): number => places.get(tool) ?? places.size;
  return listed.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Of two tools with one name the first stays: your own, or that of the server that comes first. */
function composeTools(
  sources: readonly Source[],
  { tools = [] }: McpOptions,
  leaveOut: LeaveOut,
): readonly (Tool | NativeTool)[] {
  const ofServers = sources.flatMap(({ listed, caller }) =>
    listed.map((one) => toTool(one, caller)),
  );
  const all = [...tools, ...ofServers];
  const isLeftOut = findDoubled(
    all.flatMap((tool) =>
      tool.name === undefined ? [] : [{ tool, name: tool.name, from: originOf(tool) }],
    ),
    (thrown, tool) => {
      if (serverTool(tool as Tool) === undefined) throw thrown;
      leaveOut(thrown);
    },
  );
  return all.filter((tool) => !isLeftOut.has(tool));
}

/** Reports why a tool of a server is not offered. The others are. */
type LeaveOut = (problem: Error) => undefined;

const isSameList = (one: readonly ListedTool[], other: readonly ListedTool[]): boolean =>
  one.length === other.length &&
  one.every(({ name, revision }, index) => {
    const counterpart = other[index];
    return name === counterpart?.name && revision === counterpart.revision;
  });

function originOf(tool: Tool | NativeTool): string {
  const from = serverTool(tool as Tool);
  return from === undefined
    ? `your own tool "${tool.name}"`
    : `the tool "${from.tool}" of the server "${from.server}"`;
}

const staleListError = ({ server }: Source, cause: unknown): Error =>
  new Error(
    `The server "${server.name}" has news about its tools, which cannot be used: ${messageOf(cause)} The run keeps the old ones, and asks again before the next turn.`,
    { cause },
  );

/** A server of 2025 cannot wait for days: without an answer the question is cancelled. */
function liveHandlers({ name: server }: ToolServer, options: McpOptions): Prepare {
  const { elicit } = options;
  return (client: Client): void => {
    client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
      const question = { server, tool: undefined, params: params as ElicitRequestParams };
      const answer = await elicit?.(question, { signal: mcpReq.signal });
      return answer === undefined ? { action: "cancel" } : checkedAnswer(answer, question.params);
    });
  };
}
