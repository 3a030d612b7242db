import type { NativeTool, Tool } from "@fullstop/loop";
import type {
  Client,
  ElicitRequestParams,
  ElicitResult,
  Implementation,
  Transport,
} from "@modelcontextprotocol/client";
import type { ServerTool } from "./server-tool.ts";

/** A server whose tools the run gets. It needs either `transport` or `client`. */
export interface ToolServer {
  /** Begins the names of its tools. At most 31 letters, digits, `_` and `-`. */
  readonly name: string;
  /**
   * Makes a transport of the SDK. It is called to connect, and again after the connection was lost,
   * before the next call or turn.
   */
  readonly transport?: (() => Transport) | undefined;
  /**
   * A connected client of the SDK. `mcpTools` sets its handler of `tools/list_changed`. Its other
   * handlers stay, and it is neither closed nor connected again.
   */
  readonly client?: Client | undefined;
  /**
   * Believe the annotations of this server: `readOnlyHint` and `idempotentHint` decide whether a
   * call may be repeated, and whether it needs approval. Default: `false`.
   */
  readonly trust?: boolean | undefined;
  /** The tools that the model gets. Default: all. */
  readonly filter?: ((tool: ServerTool) => boolean) | undefined;
  /**
   * Milliseconds that a call may take without progress. Default: 60,000. With `elicit` a server of
   * the protocol of 2025 gets `totalTimeoutMs`, because it waits for a person in that time.
   */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds that a call may take altogether. Default: 600,000. */
  readonly totalTimeoutMs?: number | undefined;
  /**
   * Milliseconds that a server may take to answer while it is connected to. Default: 60,000. A
   * process gets it twice: once for each version of the protocol. For `transport` only.
   */
  readonly connectTimeoutMs?: number | undefined;
}

/** A question of a server to a person. */
export interface Elicitation {
  /** The `name` of the server in the options. */
  readonly server: string;
  /** The tool that was called. Undefined for a server of the protocol of 2025, which does not say. */
  readonly tool: string | undefined;
  /** The question: a form, or an address to open. Written by the server. */
  readonly params: ElicitRequestParams;
}

/** The options of `mcpTools`. */
export interface McpOptions {
  /** Your own tools. They join those of the servers in `tools` and `beforeTurn`. */
  readonly tools?: readonly (Tool | NativeTool)[] | undefined;
  /**
   * Whether a call needs a decision, as `needsApproval` of a tool. Default: always, except for a
   * read-only tool of a trusted server.
   */
  readonly needsApproval?:
    | ((tool: ServerTool, input: Readonly<Record<string, unknown>>) => boolean | Promise<boolean>)
    | undefined;
  /**
   * Answers a question of a server while the call waits. Without it, or if it returns nothing, the
   * run waits (`ReviewedCall.needs: "input"`), which needs a journal. A server of the protocol of
   * 2025 cannot wait: without an answer it gets `{ action: "cancel" }`.
   */
  readonly elicit?:
    | ((
        question: Elicitation,
        context: { readonly signal: AbortSignal },
      ) => ElicitResult | undefined | Promise<ElicitResult | undefined>)
    | undefined;
  /** How often a server may ask in one call. Default: 10. */
  readonly maxRounds?: number | undefined;
  /**
   * Gets an error that changes nothing else for the run: a server whose new list of tools cannot be
   * read keeps its old one until the next turn, and a tool that cannot be used is left out.
   */
  readonly onWarning?: ((error: Error) => void) | undefined;
  /** The name and version that servers see. */
  readonly clientInfo?: Implementation | undefined;
}
