import type { Reply, Wire } from "@fullstop/conformance";
import { type ScriptedReply, withOtherInput } from "@fullstop/conformance/runner";
import type { Action } from "./action.ts";

/** A reply that makes the agent act. */
export interface ActionReply {
  readonly wire: Wire;
  readonly action: Action;
  /** Different for each call of a run. */
  readonly id: string;
  readonly stop: string;
  /** The output tokens that the reply reports. */
  readonly output: number;
}

const toScripted = (wire: Wire, reply: Reply): ScriptedReply => ({
  frames: wire.frames(reply),
  body: wire.whole?.(reply),
});

/** Changes the text of each event of a reply. */
function mapTexts(
  { frames, body }: ScriptedReply,
  change: (text: string) => string,
): ScriptedReply {
  return {
    frames: {
      upToTerminal: frames.upToTerminal.map(change),
      after: (frames.after ?? []).map(change),
    },
    body: body === undefined ? undefined : change(body),
  };
}

/**
 * A function call as a call of a tool with raw input.
 * https://developers.openai.com/api/docs/guides/function-calling#custom-tools
 */
const toCustomCall = (reply: ScriptedReply): ScriptedReply =>
  mapTexts(reply, (text) =>
    text
      .replaceAll("response.function_call_arguments.", "response.custom_tool_call_input.")
      .replaceAll('"type":"function_call"', '"type":"custom_tool_call"')
      .replaceAll('"arguments":', '"input":'),
  );

/** The items of an incomplete response of OpenAI are incomplete too. */
const withIncompleteItems = (reply: ScriptedReply): ScriptedReply =>
  mapTexts(reply, (text) => text.replaceAll('"status":"completed"', '"status":"incomplete"'));

/** The reply with another text as the input. `undefined` if the protocol cannot send it. */
function withInput(
  { wire, action, id, stop, output }: ActionReply,
  text: string,
): ScriptedReply | undefined {
  if (action.form === "text") return toScripted(wire, { blocks: [{ text }], stop, output });
  const input = (
    action.form === "custom" ? { text: action.whole } : JSON.parse(action.whole)
  ) as object;
  const whole = toScripted(wire, { blocks: [{ name: action.tool, id, input }], stop, output });
  const inputText = JSON.stringify(input);
  const changed = inputText === text ? whole : withOtherInput(whole, inputText, text);
  if (changed === undefined) return undefined;
  const reply = action.form === "custom" ? toCustomCall(changed) : changed;
  return stop.startsWith("incomplete") ? withIncompleteItems(reply) : reply;
}

/** The reply with its whole call. */
export function wholeReply(reply: ActionReply): ScriptedReply {
  const found = withInput(reply, reply.action.whole);
  if (found === undefined) throw new Error(`${reply.wire.name} cannot send ${reply.action.tool}.`);
  return found;
}

/** The reply with a shortened call: valid, but not what the model meant. */
export const shortenedReply = (reply: ActionReply): ScriptedReply =>
  wholeReply({ ...reply, action: { ...reply.action, whole: reply.action.shortened } });

/** The reply with a call that is cut in its text. `undefined` if inputs are not text there. */
export const cutReply = (reply: ActionReply): ScriptedReply | undefined =>
  withInput(reply, reply.action.cut);
