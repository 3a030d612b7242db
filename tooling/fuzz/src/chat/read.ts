import { count, type Fields, isNullish, isObject, list, members, said, text } from "../json.ts";
import { blur, createNotes, doubt, factsOf, flaw, type Notes, noteDamage } from "../notes.ts";
import type { Reading } from "../reading.ts";
import { done, type Received } from "../received.ts";
import { settle } from "../settle.ts";
import { createGroups, type Groups } from "./groups.ts";
import { type Host, hostOf, isForeign, meaningOf } from "./hosts.ts";
import { counts, wordless } from "./truth.ts";

interface State {
  readonly notes: Notes;
  readonly groups: Groups;
  readonly texts: string[];
  readonly host: Host;
  readonly words: string[];
  /** `revoked`: content followed a word, and only `[DONE]` ends such a reply. */
  word: "none" | "stands" | "revoked";
  done: boolean;
  refused: boolean;
  thought: boolean;
  spoke: boolean;
  usage: Fields | undefined;
}

/** Follows https://developers.openai.com/api/reference/resources/chat, and what is known of hosts. */
export function read(received: Received, name: string): Reading {
  const notes = createNotes();
  const host = hostOf(name);
  const state: State = {
    notes,
    host,
    groups: createGroups(notes, host),
    texts: [],
    words: [],
    word: "none",
    done: false,
    refused: false,
    thought: false,
    spoke: false,
    usage: undefined,
  };
  for (const event of received.events) {
    if (event === done) end(state);
    else take(state, members(event), received.whole);
  }
  if (received.whole && received.damage === "none") state.done = true;
  noteDamage(notes, received, state.done || state.word === "stands");
  doubt(notes, "the connection was lost behind the word", received.reset && !state.done);
  const counted = countsOf(state);
  const calls = state.groups.calls();
  const over = endOf(state, counted);
  doubt(
    notes,
    "it refuses, and has no end",
    state.refused && (state.words.length === 0 || over === "missing"),
  );
  return settle({
    ...factsOf(notes),
    ...counted,
    calls,
    text: state.texts.join(""),
    blanks: true,
    end: over,
    words: state.words.map((word) =>
      state.refused && word === "stop" ? "refusal" : meaningOf(word, host),
    ),
    ...(host.mislabelsTruncation && { mislabelsTruncation: true }),
  });
}

function endOf(
  { word, done: isDone, host, spoke, notes }: State,
  counted: ReturnType<typeof countsOf>,
): "came" | "missing" | "unclear" {
  if (word === "stands") return "came";
  if (!isDone) return "missing";
  if (word === "revoked") return "came";
  doubt(notes, "it says nothing", !spoke);
  return wordless(host, counted);
}

function countsOf({ usage, thought, host, notes }: State): ReturnType<typeof counts> {
  const details = members(usage)["completion_tokens_details"];
  doubt(notes, "details that are none", details !== undefined && !isObject(details));
  const reasoning = members(details)["reasoning_tokens"];
  doubt(notes, "a count that is none", reasoning !== undefined && count(reasoning) === undefined);
  return counts(
    count(usage?.["completion_tokens"]),
    { reasoning: count(reasoning), thought },
    host,
  );
}

function end(state: State): void {
  doubt(state.notes, "it ends twice", state.done);
  state.done = true;
}

function take(state: State, chunk: Fields, whole: boolean): void {
  const { notes } = state;
  if (chunk["error"]) return flaw(notes, "it reports an error");
  doubt(notes, "a chunk behind its end", state.done);
  const { choices } = chunk;
  blur(notes, "choices that are no list", !isNullish(choices) && !Array.isArray(choices));
  doubt(
    notes,
    "it may report an error",
    typeof (chunk["message"] ?? chunk["detail"]) === "string" ||
      chunk["type"] === "error" ||
      chunk["object"] === "error",
  );
  doubt(notes, "a chunk without choices", choices === undefined);
  for (const choice of list(choices)) takeChoice(state, choice, whole);
  const usage =
    chunk["usage"] ?? members(chunk["x_groq"])["usage"] ?? members(list(choices)[0])["usage"];
  const before = state.usage;
  doubt(
    notes,
    "a usage that differs from the one before",
    isObject(usage) && before !== undefined && JSON.stringify(usage) !== JSON.stringify(before),
  );
  if (isObject(usage)) state.usage = usage;
  else if (usage !== undefined && usage !== null) doubt(notes, "a usage that is none");
}

function takeChoice(state: State, value: unknown, whole: boolean): void {
  const { notes } = state;
  const choice = members(value);
  blur(notes, "a choice that is none", !isObject(value));
  if (choice["error"]) return flaw(notes, "it reports an error");
  if ((choice["index"] ?? 0) !== 0) return blur(notes, "a choice of another number");
  const content = choice[whole ? "message" : "delta"];
  blur(notes, "a whole message inside a stream", choice[whole ? "delta" : "message"] !== undefined);
  blur(
    notes,
    "content that cannot be read",
    content !== undefined && content !== null && !isObject(content),
  );
  blur(notes, "a reply without its message", whole && !isObject(content));
  takeContent(state, members(content), whole);
  takeWord(state, choice["finish_reason"]);
}

const prose = ["content", "refusal", "reasoning_content"] as const;

function takeContent(state: State, delta: Fields, whole: boolean): void {
  const { notes, groups } = state;
  const isOdd = prose.some((key) => !isNullish(delta[key]) && typeof delta[key] !== "string");
  blur(notes, "a text that is not text", isOdd);
  const words = prose.map((key) => text(delta[key]) ?? "");
  const [content = "", refusal = "", thinking = ""] = words;
  state.texts.push(content, refusal);
  state.refused ||= refusal !== "";
  state.thought ||= thinking !== "";
  const calls = groups.take(delta["tool_calls"], whole);
  const legacy = groups.takeLegacy(delta["function_call"]);
  const speaks = words.some((word) => word !== "");
  state.spoke ||= calls || legacy || speaks;
  blur(
    notes,
    "the first form of a call behind the word",
    legacy && !calls && !speaks && state.word !== "none",
  );
  if (calls || speaks) noteContent(state, calls);
}

/** Content un-says the word before it; from then on only `[DONE]` ends the reply. */
function noteContent(state: State, calls: boolean): void {
  const { notes, groups } = state;
  blur(notes, "content behind its end", state.done);
  doubt(notes, "a call that goes on behind the word", calls && state.word !== "none");
  if (state.word !== "stands") return;
  const repeats = calls && groups.repeats();
  blur(notes, "an input said again behind the word", repeats);
  if (!repeats) state.word = "revoked";
}

function takeWord(state: State, word: unknown): void {
  const { notes } = state;
  if (word === undefined || word === null || word === "" || word === "null") return;
  if (said(word) === undefined) return doubt(notes, "a word that is none");
  doubt(
    notes,
    "a word that other hosts say",
    isForeign(String(word)) && state.host.words?.[String(word)] === undefined,
  );
  doubt(notes, "a word behind its end", state.done);
  if (state.word === "none") state.word = "stands";
  state.words.push(String(word));
}
