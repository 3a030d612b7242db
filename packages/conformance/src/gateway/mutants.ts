import type { WireName } from "../replay/builtin.ts";

/** What upstream answered. */
export interface RelayedAnswer {
  readonly status: number;
  readonly text: string;
  /** The connection broke. */
  readonly broken: boolean;
}

/** A gateway that passes on what it does not change. */
export interface Relay {
  /** The protocol in front and behind. */
  readonly protocol: WireName;
  /** Only the replies whose ids begin with this are played. */
  readonly reply?: string;
  /** Changes the body of a request of JSON. `undefined`: the gateway answers it itself. */
  request?(body: string): string | undefined;
  /** Other bodies are read and written as texts. */
  readonly readsTexts?: true;
  /** Changes an answer. `undefined`: the client gets no end. */
  answer?(answer: RelayedAnswer, request: string): RelayedAnswer | undefined;
  /** Headers that requests get in place of their own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** An answer before the end of a request breaks the connection of the client. */
  readonly takesNoEarlyAnswer?: true;
  /** Whether a request is sent again after this answer. */
  repeats?(answer: RelayedAnswer): boolean;
}
type BreakRelay = (sound: Relay) => Relay;

export const changeReply =
  (reply: string, answer: Required<Relay>["answer"]): BreakRelay =>
  (sound) => ({ ...sound, protocol: reply.split("/")[0] as WireName, reply, answer });

/** Changes what a gateway does with requests. Only a short text is played. */
export const changeRelay =
  (changes: Partial<Relay>): BreakRelay =>
  (sound) => {
    const changed = { ...sound, ...changes };
    return { ...changed, reply: `${changed.protocol}/text-only` };
  };

export const changeRequest = (request: Required<Relay>["request"]): BreakRelay =>
  changeRelay({ request });

export const replaceInReply = (reply: string, from: string | RegExp, to: string): BreakRelay =>
  changeReply(reply, (answer) => ({ ...answer, text: answer.text.replaceAll(from, to) }));

export const replaceStop = (reply: string, from: string, to: string): BreakRelay =>
  replaceInReply(`openai-chat/${reply}`, `"finish_reason":"${from}"`, `"finish_reason":"${to}"`);

/** Changes the data of each event. An event that becomes `undefined` is left out. */
export const changeReplyEvents = (
  reply: string,
  change: (data: string) => string | undefined,
): BreakRelay =>
  changeReply(reply, (answer) => ({
    ...answer,
    text: answer.text
      .split("\n\n")
      .flatMap((event) => {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data === undefined) return [event];
        const changed = change(data);
        return changed === undefined ? [] : [event.replace(data, () => changed)];
      })
      .join("\n\n"),
  }));

export const dropReplyEvents = (reply: string, text: string): BreakRelay =>
  changeReplyEvents(reply, (data) => (data.includes(text) ? undefined : data));
