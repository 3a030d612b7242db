import {
  type Adapter,
  type AssistantMessage,
  type Endpoint,
  type ErrorKind,
  type Message,
  readObject as readObjectSoundly,
  readTurn,
  type Turn,
  type TurnRequest,
  type WithheldCall,
  type WithheldReason,
} from "@fullstop/core";
import type { Emit, StopTable, TurnEvent } from "@fullstop/core/adapter";
import { readMessages } from "../framing/aws.ts";
import type { AwsMessage } from "../framing/aws-message.ts";
import { type Bytes, joinBytes } from "../framing/framing.ts";
import { framingOf } from "../framing/index.ts";
import { tryParseJson } from "../harness/json.ts";
import { nativeStopForCalls } from "../harness/scenarios.ts";
import type { AdapterSubject } from "../subject.ts";

type Break = (sound: AdapterSubject) => AdapterSubject;

/** The turn with other members. No gate would return such a turn. */
export const alterTurn = (turn: Turn, changes: Readonly<Record<string, unknown>>): Turn =>
  ({ ...turn, ...changes }) as unknown as Turn;

export const changeTurns =
  (change: (turn: Turn, sound: AdapterSubject) => Turn): Break =>
  (sound) => ({
    ...sound,
    read: async (...args) => change(await (sound.read ?? readTurn)(...args), sound),
  });

/** The subject with another factory of its adapters: for streams, and for replies in one piece. */
const changeFactories = (
  { wholeAdapter, ...sound }: AdapterSubject,
  change: (create: AdapterSubject["adapter"]) => AdapterSubject["adapter"],
): AdapterSubject => ({
  ...sound,
  adapter: change(sound.adapter),
  ...(wholeAdapter && { wholeAdapter: change(wholeAdapter) }),
});

export const changeAdapter =
  (change: (adapter: Adapter, sound: AdapterSubject) => Partial<Adapter>): Break =>
  (sound) =>
    changeFactories(sound, (create) => (endpoint: Endpoint) => {
      const adapter = create(endpoint);
      return { ...adapter, ...change(adapter, sound) };
    });

/** Several faults, of which each may hide another. */
export const both =
  (...breaks: readonly Break[]): Break =>
  (sound) =>
    breaks.reduce((broken, breakMore) => breakMore(broken), sound);

/** Tells the adapter for replies in one piece from the other one. */
const asksForWhole: unique symbol = Symbol("asks for a reply in one piece");

/** The fault shows in replies in one piece only. */
export const wholeOnly =
  (breakAll: Break): Break =>
  ({ adapter, wholeAdapter = adapter, ...sound }) => {
    const broken = breakAll({ ...sound, adapter: wholeAdapter });
    const { read = readTurn, readObject = readObjectSoundly } = sound;
    const isBroken = (asked: Adapter): boolean => asksForWhole in asked;
    return {
      ...sound,
      adapter,
      wholeAdapter: (endpoint) => ({ ...broken.adapter(endpoint), [asksForWhole]: true }),
      ...(broken.read && {
        read: (asked, ...rest) => ((isBroken(asked) && broken.read) || read)(asked, ...rest),
      }),
      ...(broken.readObject && {
        readObject: (asked, ...rest) =>
          ((isBroken(asked) && broken.readObject) || readObject)(asked, ...rest),
      }),
    };
  };

/** Replaces each event of the decoder. `change` makes the function for one reply. */
export const changeEvents = (
  change: (
    sound: AdapterSubject,
    adapter: Adapter,
  ) => () => (event: TurnEvent) => readonly TurnEvent[],
): Break =>
  changeAdapter((adapter, sound) => ({
    decoder: (emit: Emit) => {
      const replace = change(sound, adapter)();
      return adapter.decoder((event) => {
        for (const other of replace(event)) emit(other);
      });
    },
  }));

export const changeRequests = (change: (request: TurnRequest) => TurnRequest): Break =>
  changeAdapter((adapter) => ({
    open: (request, signal) => adapter.open(change(request), signal),
  }));

export const changeMessages = (change: (message: Message) => readonly Message[]): Break =>
  changeRequests((request) => ({ ...request, messages: request.messages.flatMap(change) }));

/** Changes the bytes of replies on their way. `flush` returns what is left at the end. */
export const changeBytes =
  (change: () => { piece(bytes: Bytes): Bytes; flush?(): Bytes }): Break =>
  (sound) =>
    changeFactories(sound, (create) => (endpoint) => {
      const { fetch = globalThis.fetch } = endpoint;
      const changedFetch: typeof fetch = async (...args) => {
        const response = await fetch(...args);
        const { piece, flush } = change();
        const transform = new TransformStream<Bytes, Bytes>({
          transform: (bytes, controller) => controller.enqueue(piece(bytes)),
          flush: (controller) => (flush === undefined ? undefined : controller.enqueue(flush())),
        });
        const body = response.body as ReadableStream<Bytes> | null;
        return new Response(body?.pipeThrough(transform) ?? null, response);
      };
      return create({ ...endpoint, fetch: changedFetch });
    });

export const changeWhole = (change: (body: Bytes) => Bytes): Break =>
  changeBytes(() => {
    const taken: Bytes[] = [];
    return {
      piece: (bytes) => {
        taken.push(bytes);
        return new Uint8Array(0);
      },
      flush: () => change(joinBytes(taken)),
    };
  });

export const changeBodies = (change: (text: string) => string): Break =>
  changeWhole((body) => new TextEncoder().encode(change(new TextDecoder().decode(body))));

/** Changes the data of the events of complete bodies, in the framing of the wire. */
export const changeFrames =
  (change: (payloads: readonly string[]) => readonly string[]): Break =>
  (sound) => {
    const { read, usual } = framingOf(sound.wire);
    return changeWhole((body) => {
      const { events, rest } = read(body);
      return joinBytes([...change(events).map(usual.write), rest]);
    })(sound);
  };

/** Changes the messages of complete AWS event streams; `change` returns their data. */
export const changeAwsMessages = (
  change: (message: AwsMessage, index: number, all: readonly AwsMessage[]) => readonly string[],
): Break =>
  changeWhole((body) => {
    const { messages, rest } = readMessages(body);
    const { usual } = framingOf({ framing: "aws" });
    return joinBytes([...messages.flatMap(change).map(usual.write), rest]);
  });

/** What a repairing parser makes of any text. */
function repairJson(text: string): unknown {
  for (const end of ["", "}", '"}', "null}", '":null}']) {
    const value = tryParseJson(text + end);
    if (value !== undefined) return value;
  }
  return {};
}

const callBlock = ({
  id,
  name = "",
  inputText,
}: WithheldCall): AssistantMessage["content"][number] => ({
  type: "tool-call",
  id,
  name,
  inputText,
});

const messageWithCalls = (
  { message, text }: Turn,
  withheld: readonly WithheldCall[],
): AssistantMessage => {
  const textBlocks: AssistantMessage["content"] = text === "" ? [] : [{ type: "text", text }];
  return {
    role: "assistant",
    ...message,
    content: [...(message?.content ?? textBlocks), ...withheld.map(callBlock)],
  };
};

export const runWithheld = (turn: Turn, calls: readonly WithheldCall[] = turn.withheld): Turn =>
  alterTurn(turn, {
    stopReason: "tool-use",
    calls: calls.map(({ id, name, inputText }) => ({ id, name, input: repairJson(inputText) })),
    withheld: [],
    message: messageWithCalls(turn, calls),
  });

/** A gate without the rules that withhold calls for one of these reasons. */
export const ignoreReasons = (...reasons: readonly WithheldReason[]): Break =>
  changeTurns((turn) =>
    turn.withheld.some(({ reason }) => reasons.includes(reason)) ? runWithheld(turn) : turn,
  );

/** A decoder that does not report errors. */
export const ignoreErrorEvents: Break = changeEvents(
  () => () => (event) => (event.type === "error" ? [] : [event]),
);

/** A gate that takes an error of one of these kinds for the end of a reply. */
export const ignoreErrors = (...kinds: readonly ErrorKind[]): Break =>
  changeTurns((turn) => {
    if (!("error" in turn) || !kinds.includes(turn.error.kind)) return turn;
    return turn.withheld.length > 0 ? runWithheld(turn) : alterTurn(turn, { stopReason: "stop" });
  });

export const keepWithheldCalls: Break = changeTurns((turn) =>
  turn.withheld.length > 0
    ? alterTurn(turn, { message: messageWithCalls(turn, turn.withheld) })
    : turn,
);

export const previewTwice = (sound: AdapterSubject): AdapterSubject => ({
  ...sound,
  read: (adapter, request, options = {}) => {
    const twice: NonNullable<typeof options.onPreview> = (event) => {
      options.onPreview?.(event);
      options.onPreview?.(event);
    };
    return (sound.read ?? readTurn)(adapter, request, { ...options, onPreview: twice });
  },
});

/** A gate that takes the end of the file for the end of the reply. */
export const believeFileEnd: Break = changeTurns((turn) => {
  if (turn.stopReason !== "interrupted") return turn;
  return turn.withheld.length > 0 ? runWithheld(turn) : alterTurn(turn, { stopReason: "stop" });
});

/** A decoder that counts no tokens. */
export const loseUsage: Break = changeEvents(
  () => () => (event) => (event.type === "usage" ? [] : [event]),
);

/** A table in which the native stop reason of the cap is that of calls. */
export const relabelCap: Break = changeAdapter(({ stops }, { wire: { nativeStops } }) => ({
  stops: { ...stops, [nativeStops.length ?? ""]: "tool-use" },
}));

/** A decoder that has a native stop reason for each that it does not know, and for none. */
export const assumeCalls = (isAssumed: (native: string, stops: StopTable) => boolean): Break =>
  changeAdapter(({ decoder, stops }, { wire }) => ({
    decoder: (emit: Emit) => {
      let isWritten = false;
      let hasStop = false;
      const native = nativeStopForCalls(wire) ?? "";
      const decode = decoder((event) => {
        isWritten ||= event.type !== "usage" && event.type !== "meta";
        hasStop ||= event.type === "stop" || event.type === "error";
        emit(
          event.type === "stop" && isAssumed(event.native, stops) ? { ...event, native } : event,
        );
      });
      const decodeMore = (frame: unknown): void => {
        decode(frame);
        if (isWritten && !hasStop && isAssumed("", stops))
          emit({ type: "stop", native, provisional: false });
      };
      return Object.assign(decodeMore, decode.settle && { settle: decode.settle });
    },
  }));

/** Adds up the usage of all events, and one token for each. */
export const addUpUsage: Break = changeEvents(() => () => {
  let output = 0;
  return (event) => {
    if (event.type !== "usage" || event.usage.output === undefined) return [event];
    output += event.usage.output + 1;
    return [{ ...event, usage: { ...event.usage, output } }];
  };
});
