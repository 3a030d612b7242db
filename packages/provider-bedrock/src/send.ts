import type {
  ConverseCommand,
  ConverseCommandInput,
  ConverseStreamCommand,
  ConverseStreamCommandInput,
} from "@aws-sdk/client-bedrock-runtime";
import { awsEventStream, type EventBatches, fieldsOf, parsedReply } from "@fullstop/core/adapter";
import type { BedrockEvent } from "./events.ts";
import { throwReadable } from "./thrown.ts";

type Command = ConverseCommand | ConverseStreamCommand;

/**
 * The part of a client that the adapter uses: a `BedrockRuntimeClient` of the SDK, or any object of
 * this shape.
 */
export interface BedrockClient {
  send(
    command: ConverseStreamCommand,
    options: { readonly abortSignal: AbortSignal },
  ): PromiseLike<unknown>;
}

export interface Sender {
  readonly client: BedrockClient;
  readonly commands: {
    readonly ConverseCommand: typeof ConverseCommand;
    readonly ConverseStreamCommand: typeof ConverseStreamCommand;
  };
}

export interface SendOptions {
  readonly signal: AbortSignal;
  readonly stream: boolean;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Receives the keys and tokens of the request, and where it goes. */
  onSigned(secrets: readonly string[], address: string): void;
}

/**
 * Sends a command with a client, once. The SDK finds the credentials, signs, and sends; the
 * response is read here. The SDK's own stream ends silently if the connection is cut, drops unknown
 * events, and loses the status.
 */
export async function send(
  { client, commands }: Sender,
  input: ConverseStreamCommandInput,
  options: SendOptions,
): Promise<EventBatches<BedrockEvent>> {
  const command = options.stream
    ? new commands.ConverseStreamCommand(input)
    : new commands.ConverseCommand(input as ConverseCommandInput);
  const taken = takeResponse(command, options);
  try {
    // Both commands have the same middleware, and the client does not tell them apart.
    const reply = await client.send(command as ConverseStreamCommand, {
      abortSignal: options.signal,
    });
    const response = taken();
    if (response === undefined) return readable(parsedReply<BedrockEvent>(repliedBy(reply)));
    return await awsEventStream<BedrockEvent>(response);
  } catch (thrown) {
    return throwReadable(thrown);
  }
}

/** A stream is a member of what a client returns. */
const repliedBy = (reply: unknown): unknown =>
  typeof reply === "object" && reply !== null && "stream" in reply ? reply.stream : reply;

/** The stream of a client throws the exceptions of a reply. */
function readable(batches: EventBatches<BedrockEvent>): EventBatches<BedrockEvent> {
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* batches;
      } catch (thrown) {
        throwReadable(thrown);
      }
    },
  };
}

/** A response of the SDK's handlers. Node's have a Node stream as the body, others a web stream. */
interface RawResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly reason?: string | undefined;
  readonly body?: unknown;
}
interface Passed {
  readonly request: unknown;
}
interface Handled {
  readonly response: unknown;
}
type Next = (passed: Passed) => Promise<Handled>;
interface Stack {
  add(middleware: (next: Next, context: unknown) => Next, options: object): void;
}

/**
 * Changes one command, not its client: the middleware that parses replies and the one that repeats
 * requests are replaced. https://aws.amazon.com/blogs/developer/middleware-stack-modular-aws-sdk-js/
 * @returns a function that gives the response, if the client has sent the command.
 */
function takeResponse(
  { middlewareStack }: Command,
  { headers, onSigned }: SendOptions,
): () => Response | undefined {
  let taken: Response | undefined;
  const stack = middlewareStack as unknown as Stack;
  stack.add(
    (next, context) => async (passed) => {
      const { protocol, hostname, port = "" } = fieldsOf(passed.request);
      onSigned(secretsOf(passed.request, context), `${protocol}//${hostname}:${port}`);
      const { response } = await next(passed);
      if (!isRawResponse(response)) return { response, output: { $metadata: {} } };
      // A middleware of the caller may send the request again.
      await taken?.body?.cancel().catch(() => undefined);
      taken = toResponse(response);
      return { response: { ...response, body: undefined }, output: { $metadata: {} } };
    },
    { name: "deserializerMiddleware", step: "deserialize", override: true },
  );
  stack.add((next) => (passed) => next(passed), {
    name: "retryMiddleware",
    step: "finalizeRequest",
    priority: "high",
    override: true,
  });
  stack.add(
    (next) => (passed) => {
      const { headers: sent } = fieldsOf(passed.request);
      if (typeof sent === "object" && sent !== null) Object.assign(sent, headers);
      return next(passed);
    },
    { name: "fullstopHeaders", step: "build", priority: "low" },
  );
  return () => taken;
}

const isRawResponse = (response: unknown): response is RawResponse =>
  typeof fieldsOf(response)["statusCode"] === "number";

/** The identity that signed the request, and the tokens in its headers. */
function secretsOf(request: unknown, context: unknown): readonly string[] {
  const scheme = fieldsOf(fieldsOf(context)["__smithy_context"])["selectedHttpAuthScheme"];
  const { accessKeyId, secretAccessKey, sessionToken, token } = fieldsOf(
    fieldsOf(scheme)["identity"],
  );
  const sent = fieldsOf(fieldsOf(request)["headers"]);
  const inHeader = sent["x-amz-security-token"];
  return [accessKeyId, secretAccessKey, sessionToken, token, inHeader].filter(
    (secret) => typeof secret === "string",
  );
}

/** The headers of HTTP/2 have the status among them, under a name that `Headers` refuses. */
function toResponse({ statusCode, headers, reason, body }: RawResponse): Response {
  return new Response(toWebStream(body), {
    status: statusCode,
    headers: Object.entries(headers).filter(([name]) => !name.startsWith(":")) as [
      string,
      string,
    ][],
    ...(reason !== undefined && { statusText: reason }),
  });
}

/** The part of a Node stream that is needed. Providers do not import Node. */
interface NodeStream extends AsyncIterable<Uint8Array<ArrayBuffer>> {
  destroy?(): unknown;
}

function toWebStream(body: unknown): BodyInit | null {
  if (!isNodeStream(body)) return (body ?? null) as BodyInit | null;
  const chunks = body[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      /** The iterator's own `return` would wait for the chunk that has not come. */
      cancel: () => void body.destroy?.(),
    },
    { highWaterMark: 0 },
  );
}

const isNodeStream = (body: unknown): body is NodeStream =>
  typeof body === "object" &&
  body !== null &&
  Symbol.asyncIterator in body &&
  !(typeof ReadableStream === "function" && body instanceof ReadableStream);
