/**
 * The version of the OpenTelemetry conventions for generative AI that the names follow: a release of
 * `open-telemetry/semantic-conventions-genai`. All of it is still in development there, so names may
 * change with a minor version of this package.
 */
export const conventionsVersion = "0.1.0";

/** What is measured or traced: `gen_ai.operation.name`. */
export const operations = {
  agent: "invoke_agent",
  chat: "chat",
  tool: "execute_tool",
} as const;

export const attributes = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  conversation: "gen_ai.conversation.id",
  agentName: "gen_ai.agent.name",
  requestModel: "gen_ai.request.model",
  maxTokens: "gen_ai.request.max_tokens",
  finishReasons: "gen_ai.response.finish_reasons",
  responseId: "gen_ai.response.id",
  responseModel: "gen_ai.response.model",
  timeToFirstChunk: "gen_ai.response.time_to_first_chunk",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  cacheRead: "gen_ai.usage.cache_read.input_tokens",
  cacheWrite: "gen_ai.usage.cache_creation.input_tokens",
  reasoning: "gen_ai.usage.reasoning.output_tokens",
  tokenType: "gen_ai.token.type",
  toolName: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolCallId: "gen_ai.tool.call.id",
  /** Opt-in. */
  toolArguments: "gen_ai.tool.call.arguments",
  /** Opt-in. */
  toolResult: "gen_ai.tool.call.result",
  /** Opt-in. */
  systemInstructions: "gen_ai.system_instructions",
  /** Opt-in. */
  toolDefinitions: "gen_ai.tool.definitions",
  /** Opt-in. */
  inputMessages: "gen_ai.input.messages",
  /** Opt-in. */
  outputMessages: "gen_ai.output.messages",
  serverAddress: "server.address",
  serverPort: "server.port",
  errorType: "error.type",
  statusCode: "http.response.status_code",
} as const;

export const ownAttributes = {
  /** Why the reply ended, the same word for every provider. */
  stopReason: "fullstop.stop_reason",
  /** Whether the reply counts. `false`: the turn is requested again, or a tool completed its call. */
  kept: "fullstop.kept",
  turn: "fullstop.turn",
  /** The number of the request for its turn, from 1. */
  attempt: "fullstop.attempt",
  /** The recovery that asked for the request, or that follows the reply. */
  recovery: "fullstop.recovery",
  effort: "fullstop.effort",
  requestId: "fullstop.request_id",
  /** The first rule of the gate that the reply failed. */
  rule: "fullstop.rule",
  withheldReason: "fullstop.withheld.reason",
  /** The tool that the reply names in a call which the model wrote as text, and its form. */
  leakedTool: "fullstop.leaked_call.tool",
  leakedForm: "fullstop.leaked_call.form",
  withheldBytes: "fullstop.withheld.input_bytes",
  status: "fullstop.status",
  turns: "fullstop.turns",
  cost: "fullstop.cost",
  limit: "fullstop.limit",
  notRun: "fullstop.not_run",
  /** The call goes on in a later run, which waits for a person. */
  waiting: "fullstop.waiting",
  /** The beginning of the step is not known, so the span has no length. */
  untimed: "fullstop.untimed",
  /** The step comes from the journal. */
  replayed: "fullstop.replayed",
  inDoubt: "fullstop.in_doubt",
  decision: "fullstop.decision",
  settlement: "fullstop.settlement",
  input: "fullstop.input",
  /** Opt-in: the reason that a person gave for a refusal. */
  denialReason: "fullstop.denial_reason",
} as const;

export const spanEvents = {
  /** On `chat`: a call of the reply must not run. */
  withheldCall: "fullstop.withheld_call",
  /** On `invoke_agent`: what the loop does about a reply. */
  recovery: "fullstop.recovery",
  approval: "fullstop.approval",
  settlement: "fullstop.settlement",
  input: "fullstop.input",
  /** On `invoke_agent`: a reply or a result that the journal had. It has no span. */
  replayedTurn: "fullstop.replayed_turn",
  replayedCall: "fullstop.replayed_call",
} as const;

/** Histograms of the conventions, and a counter that they do not have. */
export const metricNames = {
  operationDuration: "gen_ai.client.operation.duration",
  timeToFirstChunk: "gen_ai.client.operation.time_to_first_chunk",
  /** Opt-in. */
  timePerChunk: "gen_ai.client.operation.time_per_output_chunk",
  tokenUsage: "gen_ai.client.token.usage",
  agentDuration: "gen_ai.invoke_agent.duration",
  toolDuration: "gen_ai.execute_tool.duration",
  withheld: "fullstop.withheld",
} as const;

/** Values of `error.type` besides the kinds of `ProviderError`. */
export const errorTypes = {
  inDoubt: "in_doubt",
  timeout: "timeout",
  /** A call was denied, declined or not valid: its tool did not start. */
  refused: "refused",
  tool: "tool_error",
  /** What `end` was called without an error for. */
  other: "_OTHER",
} as const;

/** Providers whose name in the conventions is another one. */
const providerNames: Readonly<Record<string, string>> = {
  // The adapter reaches both of Google's services.
  google: "gcp.gen_ai",
  mistral: "mistral_ai",
  moonshot: "moonshot_ai",
  xai: "x_ai",
};

export const providerName = (provider: string): string => providerNames[provider] ?? provider;
