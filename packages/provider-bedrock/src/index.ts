import type { BedrockRuntimeClientConfig } from "@aws-sdk/client-bedrock-runtime";
import type { Adapter } from "@fullstop/core";
import {
  type AdapterOptions,
  anyText,
  anyValue,
  checkAdapterOptions,
  commonKinds,
  type OptionKinds,
  type OutputFormatOption,
  oneOf,
  refuseCap,
  sdkAdapter,
} from "@fullstop/core/adapter";
import { type BedrockParams, encode } from "./encode.ts";
import { fetchHandler } from "./fetch-handler.ts";
import { refuseReference } from "./media.ts";
import { rulesOf } from "./models.ts";
import { formatTakes } from "./output.ts";
import { type BedrockEvent, type BedrockReplyOptions, bedrockReply } from "./reply.ts";
import { type BedrockClient, type Sender, send } from "./send.ts";

export type { BedrockParams } from "./encode.ts";
export type { BedrockEvent, BedrockReplyOptions, MetadataRule } from "./reply.ts";
export type { BedrockClient } from "./send.ts";

/**
 * `apiKey` is an API key of Amazon Bedrock. Without it, and for what is not set, the SDK looks for
 * credentials, the region and the address in the environment and in the profiles of AWS.
 */
export interface BedrockOptions
  extends AdapterOptions<BedrockClient, BedrockParams>,
    BedrockReplyOptions {
  /** Such as `"eu-central-1"`. By default that of the environment or of the profile. */
  readonly region?: string | undefined;
  /** Keys, or a function that gets them. By default the SDK's own chain. */
  readonly credentials?: BedrockRuntimeClientConfig["credentials"] | undefined;
  /**
   * A client with its own endpoint, region and credentials. `baseURL`, `apiKey`, `fetch`, `region`
   * and `credentials` are then ignored.
   */
  readonly client?: BedrockClient | undefined;
  /** Sent with every request, and signed. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Output caps in tokens. For Claude the default is 32,000, and the ceiling is that of the model.
   * For other models no cap is sent if there is none here, and the model's own applies.
   */
  readonly maxTokens?: Adapter["maxTokens"] | undefined;
  /** `false` requests the reply in one piece, with Converse. The default is `true`. */
  readonly stream?: boolean | undefined;
  /**
   * When the model takes `outputConfig.textFormat`. `"never"`: an object is requested as the input
   * of a tool. The default depends on the model.
   */
  readonly outputFormat?: OutputFormatOption | undefined;
}

type Sdk = typeof import("@aws-sdk/client-bedrock-runtime");

const optionKinds: OptionKinds<Required<BedrockOptions>> = {
  ...commonKinds,
  region: anyText,
  credentials: anyValue,
  metadata: oneOf("required", "optional"),
};

const defaultCap = 32_000;

/** Each error is searched for them, so a process that runs for months must not keep all. */
const maxSecrets = 12;
const withLatest = (known: readonly string[], found: readonly string[]): readonly string[] =>
  found.every((secret) => known.includes(secret))
    ? known
    : [...new Set([...found, ...known])].slice(0, maxSecrets);

/**
 * Models of Amazon Bedrock over Converse, through the vendor's SDK. `model` is the id of a model or
 * of an inference profile, or an ARN.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference.html
 * @throws TypeError or RangeError for options that cannot work. The message names the option.
 */
export function bedrock(model: string, options: BedrockOptions = {}): Adapter {
  checkAdapterOptions(options, optionKinds, "bedrock");
  const { params, headers, stream = true } = options;
  refuseCap({ "inferenceConfig.maxTokens": params?.inferenceConfig?.maxTokens }, [
    "inferenceConfig.maxTokens",
  ]);
  const rules = rulesOf(model);
  let secrets: readonly string[] = [];
  let sentTo: string | undefined;
  // The caller's client needs the commands of the SDK.
  const { client, baseURL, ...others } = options;
  return sdkAdapter<Sender, Sdk, BedrockEvent>(others, {
    ...bedrockReply(model, options),
    callIds: { maxLength: 64, allowed: /^[a-zA-Z0-9_-]+$/ },
    maxTokens: capsOf(options.maxTokens, rules.ceiling),
    outputFormat: rules.outputFormat,
    formatTakes,
    refuseReference,
    sdk: {
      name: "@aws-sdk/client-bedrock-runtime",
      load: () => import("@aws-sdk/client-bedrock-runtime"),
      create: (sdk) => ({
        commands: sdk,
        client: client ?? new sdk.BedrockRuntimeClient(clientConfig(options)),
      }),
    },
    endpoint: () => ({
      name: "Amazon Bedrock",
      keyVariable: "AWS_BEARER_TOKEN_BEDROCK",
      client,
      baseURL: (client === undefined ? baseURL : undefined) ?? sentTo,
      secrets: [...secrets, ...secretsIn(options.credentials)],
    }),
    send: (sender, request, signal) =>
      send(sender, encode(request, { model, params }), {
        signal,
        stream,
        headers,
        onSigned: (found, address) => {
          secrets = withLatest(secrets, found);
          sentTo = address;
        },
      }),
  });
}

function capsOf(
  given: Adapter["maxTokens"],
  known: number | undefined,
): NonNullable<Adapter["maxTokens"]> {
  const ceiling = given?.ceiling ?? (known && Math.max(known, given?.default ?? 0));
  const cap = given?.default ?? (known && Math.min(defaultCap, ceiling ?? defaultCap));
  return {
    ...(cap !== undefined && { default: cap }),
    ...(ceiling !== undefined && { ceiling }),
    ...(given?.floor !== undefined && { floor: given.floor }),
  };
}

function clientConfig(options: BedrockOptions): BedrockRuntimeClientConfig {
  const { baseURL, apiKey, region, credentials } = options;
  return {
    requestHandler: fetchHandler(options.fetch ?? globalThis.fetch, baseURL),
    ...(region !== undefined && { region }),
    // The SDK appends a path with a slash of its own.
    ...(baseURL !== undefined && { endpoint: baseURL.replace(/(?<!\/)\/+$/, "") }),
    // Without a preference the SDK takes AWS_BEARER_TOKEN_BEDROCK instead of credentials of the code.
    ...(credentials !== undefined && { credentials, authSchemePreference: ["sigv4"] }),
    ...(apiKey !== undefined && {
      token: { token: apiKey },
      authSchemePreference: ["httpBearerAuth"],
    }),
  };
}

function secretsIn(credentials: BedrockOptions["credentials"]): readonly (string | undefined)[] {
  if (typeof credentials !== "object") return [];
  return [credentials.accessKeyId, credentials.secretAccessKey, credentials.sessionToken];
}
