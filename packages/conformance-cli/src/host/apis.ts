import type { Adapter } from "@fullstop/core";

/** The options that an adapter needs for a host. Only what was seen is in it. */
export interface HostOptions {
  readonly mislabelsTruncation?: true;
  readonly mislabelsStopSequences?: true;
  readonly messageStop?: "optional";
  readonly capName?: "max_completion_tokens";
  readonly noStreamOptions?: true;
  /** Words that came only with cut replies. */
  readonly stops?: Readonly<Record<string, "length">>;
}
type OptionName = keyof HostOptions;

/** How a host is reached. */
export interface Target {
  readonly url: string;
  readonly model: string;
  readonly apiKey: string;
  /** Parameters of the API for every request. */
  readonly params: object;
}
/** How one request is sent. */
export interface How {
  readonly stream: boolean;
  /** A sequence that ends the reply. */
  readonly stop?: string | undefined;
}

/** The protocols that a host is asked in. */
export type ApiName = "chat" | "messages" | "responses" | "gemini" | "interactions";
interface Api {
  readonly title: string;
  readonly takes: readonly OptionName[];
  /** The parameters for a stop sequence, if the API has one. */
  stop?(sequence: string): object;
  /** The event that ends a stream. */
  readonly end?: string;
  readonly from: string;
  readonly factory: string;
  /** The address as the adapter takes it. */
  baseURL(url: string): string;
  connect(target: Target, how: How, options: HostOptions): Promise<Adapter>;
}

const asIs = (url: string): string => url.replace(/\/+$/, "");
const withoutVersion = (url: string): string => asIs(url).replace(/\/v1(beta)?$/, "");

/** The options of every factory. */
const common = (name: ApiName, { url, apiKey, params }: Target, { stream, stop }: How) => {
  const api = apis[name];
  const sequences = stop === undefined ? {} : api.stop?.(stop);
  return { baseURL: api.baseURL(url), apiKey, stream, params: { ...params, ...sequences } };
};

/** The options that this API's adapter has. */
export const optionsFor = (name: ApiName, options: HostOptions): HostOptions =>
  Object.fromEntries(
    Object.entries(options).filter(([key]) => apis[name].takes.includes(key as OptionName)),
  );

/** In the order in which they are tried. */
export const apis: Readonly<Record<ApiName, Api>> = {
  chat: {
    title: "Chat Completions",
    takes: ["mislabelsTruncation", "mislabelsStopSequences", "capName", "noStreamOptions", "stops"],
    stop: (sequence) => ({ stop: [sequence] }),
    end: "[DONE]",
    from: "@fullstop/provider-openai-compatible",
    factory: "openaiCompatible",
    baseURL: asIs,
    connect: async (target, how, { mislabelsStopSequences: _, stops, ...options }) => {
      const { dialects, openaiCompatible } = await import("@fullstop/provider-openai-compatible");
      const { custom } = dialects;
      const dialect = { ...custom, ...options, name: "host", stops: { ...custom.stops, ...stops } };
      return openaiCompatible(dialect, target.model, common("chat", target, how));
    },
  },
  messages: {
    title: "Messages",
    takes: ["mislabelsTruncation", "messageStop", "stops"],
    stop: (sequence) => ({ stop_sequences: [sequence] }),
    end: "message_stop",
    from: "@fullstop/provider-anthropic",
    factory: "anthropic",
    baseURL: withoutVersion,
    connect: async (target, how, options) => {
      const { anthropic } = await import("@fullstop/provider-anthropic");
      return anthropic(target.model, { ...common("messages", target, how), ...options });
    },
  },
  responses: {
    title: "Responses",
    takes: ["mislabelsTruncation", "stops"],
    end: "response.completed",
    from: "@fullstop/provider-openai",
    factory: "openai",
    baseURL: asIs,
    connect: async (target, how, options) => {
      const { openai } = await import("@fullstop/provider-openai");
      return openai(target.model, { ...common("responses", target, how), ...options });
    },
  },
  gemini: {
    title: "generateContent",
    takes: ["mislabelsTruncation", "stops"],
    stop: (sequence) => ({ stopSequences: [sequence] }),
    from: "@fullstop/provider-google",
    factory: "google",
    baseURL: withoutVersion,
    connect: async (target, how, options) => {
      const { google } = await import("@fullstop/provider-google");
      return google(target.model, { ...common("gemini", target, how), ...options });
    },
  },
  interactions: {
    title: "Interactions",
    takes: ["mislabelsTruncation", "stops"],
    stop: (sequence) => ({ generation_config: { stop_sequences: [sequence] } }),
    end: "interaction.completed",
    from: "@fullstop/provider-google",
    factory: "googleInteractions",
    baseURL: withoutVersion,
    connect: async (target, how, options) => {
      const { googleInteractions } = await import("@fullstop/provider-google");
      const about = common("interactions", target, how);
      return googleInteractions(target.model, { ...about, ...options });
    },
  },
};

/** An adapter for one request. */
export const connect = (
  name: ApiName,
  target: Target,
  how: How,
  options: HostOptions = {},
): Promise<Adapter> => apis[name].connect(target, how, optionsFor(name, options));
