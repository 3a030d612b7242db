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
  readonly params: object;
}
export interface How {
  readonly stream: boolean;
  /** A sequence that ends the reply. */
  readonly stop?: string | undefined;
}

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
  load(): Promise<Factory>;
}
type Factory = (model: string, options: FactoryOptions) => Adapter;
interface FactoryOptions extends HostOptions, Omit<Target, "url" | "model"> {
  readonly baseURL: string;
  readonly stream: boolean;
}

const asIs = (url: string): string => url.replace(/(?<!\/)\/+$/, "");
const withoutVersion = (url: string): string => asIs(url).replace(/\/v1(beta)?$/, "");

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
    load: async () => {
      const { dialects, openaiCompatible } = await import("@fullstop/provider-openai-compatible");
      const { custom } = dialects;
      return (model, { baseURL, apiKey, stream, params, stops, ...flags }) => {
        const { mislabelsStopSequences: _, ...row } = flags;
        const dialect = { ...custom, ...row, name: "host", stops: { ...custom.stops, ...stops } };
        return openaiCompatible(dialect, model, { baseURL, apiKey, stream, params });
      };
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
    load: async () => (await import("@fullstop/provider-anthropic")).anthropic,
  },
  responses: {
    title: "Responses",
    takes: ["mislabelsTruncation", "stops"],
    end: "response.completed",
    from: "@fullstop/provider-openai",
    factory: "openai",
    baseURL: asIs,
    load: async () => (await import("@fullstop/provider-openai")).openai,
  },
  gemini: {
    title: "generateContent",
    takes: ["mislabelsTruncation", "stops"],
    stop: (sequence) => ({ stopSequences: [sequence] }),
    from: "@fullstop/provider-google",
    factory: "google",
    baseURL: withoutVersion,
    load: async () => (await import("@fullstop/provider-google")).google,
  },
  interactions: {
    title: "Interactions",
    takes: ["mislabelsTruncation", "stops"],
    stop: (sequence) => ({ generation_config: { stop_sequences: [sequence] } }),
    end: "interaction.completed",
    from: "@fullstop/provider-google",
    factory: "googleInteractions",
    baseURL: withoutVersion,
    load: async () => (await import("@fullstop/provider-google")).googleInteractions,
  },
};

export async function connect(
  name: ApiName,
  { url, model, apiKey, params }: Target,
  { stream, stop }: How,
  options: HostOptions = {},
): Promise<Adapter> {
  const api = apis[name];
  const sequences = stop === undefined ? {} : api.stop?.(stop);
  const create = await api.load();
  return create(model, {
    baseURL: api.baseURL(url),
    apiKey,
    stream,
    params: { ...params, ...sequences },
    ...optionsFor(name, options),
  });
}
