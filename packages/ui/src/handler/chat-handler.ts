import {
  anyFunction,
  anyValue,
  checkOptions,
  type OptionKinds,
  positiveInteger,
  withMethods,
} from "@fullstop/core/adapter";
import { type Outcome, type RunOptions, run } from "@fullstop/loop";
import { UiMessageError } from "../chat/ui-message.ts";
import { resumeUi, type UiOptions, uiKinds, uiResponse } from "../chat/ui-response.ts";
import { createRunStreams } from "../run-streams.ts";
import { type ChatRequest, chatIdOf, readBody, readChatRequest } from "./chat-request.ts";
import { type ChatStore, memoryChatStore, type StoredChat } from "./chat-store.ts";
import { afterRun, changedText, type NextRun, newChat, nextRun, type Refusal } from "./next-run.ts";
import { answerIdOf } from "./to-ui-messages.ts";

type ChatRunOptions = Omit<RunOptions, "prompt" | "messages" | "waiting" | "journal">;
type ChatUiOptions = Omit<UiOptions, "messages" | "messageId" | "streamId" | "onEnd">;

/** The options of `run` and `uiResponse`, and what one chat after the other needs. */
export interface ChatHandlerOptions extends ChatRunOptions, ChatUiOptions {
  /** Where conversations are remembered. Default: `memoryChatStore()`. */
  readonly store?: ChatStore | undefined;
  /**
   * Whether this request may use this chat. Its id comes from the page: without this check, anyone
   * who knows an id can read the chat and answer for its user. Default: yes.
   */
  readonly authorize?:
    | ((request: Request, chatId: string) => boolean | Promise<boolean>)
    | undefined;
  /** The largest request of a page, with its images and files. Default: 32 MiB. */
  readonly maxRequestBytes?: number | undefined;
  /** Called after the conversation is stored, and before the page learns that the run has ended. */
  readonly onEnd?: ((outcome: Outcome, chatId: string) => void | Promise<void>) | undefined;
}

const { messages: _, messageId: __, streamId: ___, ...sharedUiKinds } = uiKinds;
/** `run` checks its own options. */
const chatKinds: OptionKinds<Required<ChatHandlerOptions>> = {
  ...sharedUiKinds,
  adapter: anyValue,
  system: anyValue,
  tools: anyValue,
  output: anyValue,
  approve: anyValue,
  request: anyValue,
  limits: anyValue,
  recovery: anyValue,
  beforeTurn: anyValue,
  stopWhen: anyValue,
  signal: anyValue,
  onEvent: anyValue,
  store: withMethods(["load", "save"], "a `ChatStore`"),
  authorize: anyFunction,
  maxRequestBytes: positiveInteger,
};

interface Parts {
  readonly runOptions: ChatRunOptions;
  readonly uiOptions: ChatUiOptions;
  readonly streams: NonNullable<UiOptions["streams"]>;
  readonly store: ChatStore;
  readonly onEnd: ChatHandlerOptions["onEnd"];
}

type Handler = (request: Request) => Promise<Response>;

/**
 * Answers the requests of `useChat`: `POST /api/chat` runs the loop, `GET /api/chat/<id>/stream`
 * resumes a stream, and `DELETE` of the same address aborts its run.
 * The server keeps the conversation: of what the page sends, only the last message is used.
 * @throws TypeError or RangeError, at once, for options that cannot work.
 */
export function chatHandler(options: ChatHandlerOptions): Handler {
  checkOptions(options, chatKinds, { of: "chatHandler" });
  const parts = partsOf(options);
  const { authorize = () => true, maxRequestBytes = 32 * 1024 * 1024 } = options;
  const { streams } = parts;
  const withStream =
    (serve: (chatId: string, request: Request) => Promise<Response>): Handler =>
    async (request) => {
      const chatId = chatIdOf(request);
      if (chatId === undefined) return refuse({ status: 404, text: "No chat has this address." });
      return (await authorize(request, chatId)) ? serve(chatId, request) : refuse(forbidden);
    };
  const methods: Readonly<Record<string, Handler>> = {
    POST: async (request) => {
      // A page of another site can send a text without asking, and JSON only if the server allows it.
      if (!/^application\/json\b/i.test(request.headers.get("content-type") ?? ""))
        return refuse({ status: 415, text: "The content type must be application/json." });
      const body = await readBody(request, maxRequestBytes);
      if (body === undefined) return refuse({ status: 413, text: "The message is too large." });
      const chat = readChatRequest(body);
      return (await authorize(request, chat.chatId)) ? respond(chat, parts) : refuse(forbidden);
    },
    GET: withStream((chatId, request) => resumeUi(streams, chatId, request)),
    DELETE: withStream(async (chatId) => Response.json({ stopped: await streams.stop(chatId) })),
  };
  return async (request) => {
    try {
      const { method } = request;
      const handle = Object.hasOwn(methods, method) ? methods[method] : undefined;
      return (await handle?.(request)) ?? refuse({ status: 405, text: "Use POST, GET or DELETE." });
    } catch (thrown) {
      if (thrown instanceof UiMessageError) return refuse({ status: 400, text: thrown.message });
      throw thrown;
    }
  };
}

const forbidden: Refusal = { status: 403, text: "You may not use this chat." };
const refuse = ({ status, text }: Refusal): Response => new Response(text, { status });

function partsOf(given: ChatHandlerOptions): Parts {
  const { store, authorize: _, maxRequestBytes: __, onEnd, ...options } = given;
  const { heartbeatMs, onError, reasoning, previews, withheld, select, errors, ...rest } = options;
  const { streams = createRunStreams({ graceMs: 0, keepEndedMs: 0 }), ...runOptions } = rest;
  run({ ...runOptions, prompt: "Options are checked now, and not at the first request." });
  const uiOptions = { heartbeatMs, onError, reasoning, previews, withheld, select, errors };
  return { runOptions, uiOptions, streams, store: store ?? memoryChatStore(), onEnd };
}

async function respond(request: ChatRequest, parts: Parts): Promise<Response> {
  const { chatId, last } = request;
  const { streams, store } = parts;
  // What the earlier run did is stored first. A page that only answers must not abort the run of another.
  if (last.role === "user") await streams.stop(chatId);
  const stored = (await store.load(chatId)) ?? undefined;
  const next = nextRun(request, stored);
  if ("status" in next) return refuse(next);
  if (!(await store.save(chatId, next.chat))) return refuse({ status: 409, text: changedText });
  let isStarted = false;
  try {
    const response = await start(next, request, parts);
    isStarted = response.ok;
    return response;
  } finally {
    if (!isStarted) await undo(next.chat, stored, { chatId, store });
  }
}

async function start(
  { chat, options }: NextRun,
  { chatId, sent, last }: ChatRequest,
  { runOptions, uiOptions, streams, store, onEnd }: Parts,
): Promise<Response> {
  return uiResponse(run({ ...runOptions, ...options }), {
    ...uiOptions,
    messages: [sent],
    messageId: last.role === "user" ? answerIdOf(last.id) : undefined,
    streams,
    streamId: chatId,
    onEnd: async (outcome) => {
      const isStored = await store.save(chatId, afterRun(chat, outcome));
      await onEnd?.(outcome, chatId);
      if (!isStored) throw new Error(`The chat "${chatId}" ${changedMeanwhile}`);
    },
  });
}

const changedMeanwhile =
  "was changed by another request or dropped while its run went on, so the end of the run is not stored.";

/** A run that could not start leaves the chat as it was, so that its calls can be answered again. */
async function undo(
  { version }: StoredChat,
  stored: StoredChat | undefined,
  { chatId, store }: { readonly chatId: string; readonly store: ChatStore },
): Promise<void> {
  await store.save(chatId, { ...(stored ?? newChat), version: version + 1 });
}
