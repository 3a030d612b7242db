/** The wires of the suite. */
export type WireKey = "anthropic" | "chat" | "gemini" | "responses" | "interactions";

type Reasons = Readonly<Partial<Record<WireKey, string>>>;

/** One reason for several wires. */
const of = (reason: string, ...wires: readonly WireKey[]): Reasons =>
  Object.fromEntries(wires.map((wire) => [wire, reason]));

const inputsAreJson = of("The wire sends inputs as JSON, not as text.", "gemini");
const noOwnEnd = of(
  "The protocol has no end of its own: a reply is complete when its connection ends in order.",
  "chat",
  "gemini",
);

const notRepeated = (...wires: readonly WireKey[]): Reasons =>
  of("No host is known that says a call of this protocol a second time in this way.", ...wires);

const notWritten = (...wires: readonly WireKey[]): Reasons =>
  of("No host is known that writes replies of this protocol in this way.", ...wires);

const noRefusal = of(
  "The vendor has no native stop reason of a refusal or a filter: it sends an error.",
  "interactions",
);

/** Why a wire does not catch a mutant: `clause: what the mutant does`. */
export const uncaught: Readonly<Record<string, Reasons>> = {
  "output.refusal: validates the text of a refusal": noRefusal,
  "output.refusal: takes a refusal for a finished reply": noRefusal,
  "stop.whole: runs calls after an end that forbids them": of(
    "The vendor has no native stop reason that forbids complete calls.",
    "chat",
    "gemini",
    "responses",
    "interactions",
  ),
  "stop.whole: takes an empty object before an input for a part of it": {
    ...inputsAreJson,
    ...notWritten("responses", "interactions"),
  },
  "stop.whole: does not look for calls in other choices or candidates": of(
    "A reply of the protocol has no choices.",
    "anthropic",
    "responses",
    "interactions",
  ),
  "stop.whole: reads no content that is a number": notWritten(
    "anthropic",
    "gemini",
    "responses",
    "interactions",
  ),
  "stop.no-word: takes a blank stop reason for a finished answer": of(
    "The decoder reports no end for a blank reason, so the mutant finds nothing to change.",
    "chat",
    "gemini",
  ),
  "stop.no-call: takes the stop reason for calls as an answer, although the reply has no call": of(
    "The stop reason for calls is that of a finished text, so the clause is not claimed.",
    "gemini",
    "responses",
  ),
  "stop.content-after: reads nothing after the first stop reason": of(
    "The decoder refuses the event with which a second reply begins, and reads nothing after it.",
    "anthropic",
    "responses",
    "interactions",
  ),
  "stop.content-after: overlooks what ends the stream between two replies": {
    ...of(
      "The protocol has no event after its last reply, so there is nothing to overlook.",
      "anthropic",
      "gemini",
      "responses",
    ),
    ...of(
      "The decoder refuses the event with which a second reply begins, so it needs no other sign.",
      "interactions",
    ),
  },
  "stop.open-stream: takes a short silence after a stop reason for the end of the stream": of(
    "The mutant takes the protocol's own end from the wire, and the wire has none.",
    "chat",
    "gemini",
  ),
  "call.closed: runs calls that were never closed": of("The protocol closes no call.", "chat"),
  "call.cut-input: repairs inputs that were cut": inputsAreJson,
  "call.invalid-json: turns an unreadable input into an empty one": inputsAreJson,
  "call.input-exact: writes the parsed input into history": inputsAreJson,
  "call.once: runs a call at each of its ends": notRepeated(
    "chat",
    "gemini",
    "responses",
    "interactions",
  ),
  "call.once: runs a call under each of its ids": notRepeated(
    "anthropic",
    "chat",
    "gemini",
    "interactions",
  ),
  "call.once: runs `function_call` beside `tool_calls`": notRepeated(
    "anthropic",
    "gemini",
    "responses",
    "interactions",
  ),
  "call.one-reply: reads every event as a part of the first reply": of(
    "The decoder refuses the event with which a second reply begins, also under the same id.",
    "anthropic",
    "responses",
    "interactions",
  ),
  "wire.reset: discards a complete reply because its connection broke": noOwnEnd,
  "wire.stall: discards a complete reply because of the silence after it": noOwnEnd,
  "request.every-host: sends calls with inputs that are not JSON": of(
    "The encoder puts an input that is not JSON into an object, so the mutant's input is not sent.",
    "anthropic",
    "chat",
    "gemini",
    "responses",
    "interactions",
  ),
  "request.replay: drops blocks that it does not know": of(
    "The decoder makes no native blocks: what must go back is data of a call.",
    "chat",
  ),
  "request.foreign: sends ids as other providers wrote them": of(
    "The vendor has no rule for ids of calls.",
    "gemini",
    "interactions",
  ),
  "guard.passes: says a call as often as the provider said it": notRepeated("interactions"),
  "guard.once: lets out what came": notRepeated("gemini", "interactions"),
  "guard.holds: numbers what it adds wrongly": of(
    "What the guard adds has no number in this protocol.",
    "chat",
    "gemini",
  ),
  "guard.holds: passes on a cut connection as a clean end": of(
    "The stop reason is in the last event, so what came before a cut never ends as a finished answer.",
    "gemini",
  ),
};
