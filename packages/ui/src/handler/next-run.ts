import type { Outcome, RunOptions } from "@fullstop/loop";
import { readUiAnswers } from "../chat/read-answers.ts";
import { readUiMessages } from "../chat/read-messages.ts";
import type { ChatRequest } from "./chat-request.ts";
import type { StoredChat } from "./chat-store.ts";

export interface NextRun {
  /** The chat while the run goes on. It is stored before, so that no other request answers the same. */
  readonly chat: StoredChat;
  readonly options: Pick<RunOptions, "messages" | "waiting">;
}

/** Why a request starts nothing: the status, and a sentence for the person who reads the page. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
}

export const newChat: StoredChat = { version: 0, messages: [], questions: [] };

export const changedText = "This chat was changed by another request. Load the page again.";

/** Earlier messages are not used: a page can change them. @throws UiMessageError. */
export function nextRun(request: ChatRequest, stored: StoredChat | undefined): NextRun | Refusal {
  return request.last.role === "user" ? ask(request, stored) : answer(request, stored);
}

function ask(
  { sent, last: { id }, hasHistory }: ChatRequest,
  stored: StoredChat | undefined,
): NextRun | Refusal {
  if (stored === undefined && hasHistory)
    return { status: 410, text: "The server no longer has this chat. Start a new one." };
  const { version, messages, questions } = stored ?? newChat;
  const question = readUiMessages([sent]);
  if (question.length === 0) return { status: 400, text: "The message is empty." };
  // A message that the page sends again, changed or not, replaces what followed it.
  const again = questions.findIndex((earlier) => id !== "" && earlier.id === id);
  const at = questions[again]?.at ?? messages.length;
  const kept = again < 0 ? questions : questions.slice(0, again);
  const conversation = [...messages.slice(0, at), ...question];
  const chat = {
    version: version + 1,
    messages: conversation,
    questions: [...kept, { id, at }],
  };
  return { chat, options: { messages: conversation } };
}

function answer({ sent }: ChatRequest, stored: StoredChat | undefined): NextRun | Refusal {
  const { waiting, ...rest } = stored ?? newChat;
  const answers = waiting && readUiAnswers([sent], waiting.calls);
  if (waiting === undefined || answers === undefined)
    return { status: 409, text: "This was answered already. Load the page again." };
  const answered = Object.values(answers).flatMap((group) => Object.keys(group ?? {}));
  if (waiting.calls.some(({ id }) => !answered.includes(id)))
    return { status: 409, text: "Answer each of the open calls first." };
  const { messages } = rest;
  const options = { messages, waiting: { turn: waiting.turn, ...answers } };
  return { chat: { ...rest, version: rest.version + 1 }, options };
}

export function afterRun(
  { version, messages, questions }: StoredChat,
  outcome: Outcome,
): StoredChat {
  const last = messages.length - 1;
  // If the loop made the conversation shorter, the messages have other positions.
  const isMoved = JSON.stringify(outcome.messages[last]) !== JSON.stringify(messages[last]);
  return {
    version: version + 1,
    messages: outcome.messages,
    questions: isMoved ? [] : questions,
    ...(outcome.status === "waiting" && { waiting: { turn: outcome.turn, calls: outcome.calls } }),
  };
}
