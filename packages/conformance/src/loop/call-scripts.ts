import { repliesBehindACall, whyNoRepetition } from "../harness/second-reply.ts";
import {
  answeredWith,
  inputTextOf,
  nothingMayRun,
  renderLongCut,
  renderReply,
  renderWithText,
  type ScriptContext,
  type ScriptList,
  threeQuarters,
  withOtherInput,
} from "./script.ts";
import { twoCalls } from "./stop-scripts.ts";
import { joined, onlyForCalls, onlyForJson, unlessEmpty } from "./text-inputs.ts";

/** Scripts with other texts as the input, by their ids. */
const withInputTexts = (texts: Readonly<Record<string, (text: string) => string>>): ScriptList =>
  onlyForJson((context) => {
    const whole = inputTextOf(context.calls[0]);
    return Object.entries(texts).flatMap(([id, change]) => {
      const text = change(whole);
      const name = `one call with the input ${text}`;
      return nothingMayRun(id, name, () => renderWithText(context, text))(context);
    });
  });

export const cutInputs: ScriptList = onlyForJson(
  joined(
    withInputTexts({
      "three-quarters": threeQuarters,
      "last-brace-lost": (text) => text.slice(0, -1),
    }),
    nothingMayRun("long-cut", "one call, its input of more than 4 kB cut", (context) =>
      renderLongCut(context),
    ),
  ),
);

/** Inputs that are not JSON, although nothing was cut. */
export const invalidInputs: ScriptList = withInputTexts({
  "trailing-comma": (text) => `${text.slice(0, -1)},}`,
  "second-brace": (text) => `${text}}`,
});

/** A call that was cut, and one that was not. A real cut is at the end. */
export const siblingCalls: ScriptList = onlyForJson((context) => {
  const [premise] = twoCalls(context);
  const calls = context.calls.slice(0, 2);
  return calls.flatMap((call, index) => {
    const text = inputTextOf(call);
    const which = index === 0 ? "first" : "last";
    const name = `two calls, the input of the ${which} cut`;
    const cut = withOtherInput(renderReply(context, { blocks: calls }), text, text.slice(0, -1));
    return nothingMayRun(
      `cut-${which}`,
      name,
      () => cut,
    )(context).map((script) => ({ ...script, premise }));
  });
});

const whyNoStream = ({ streams }: ScriptContext): string | undefined =>
  streams
    ? undefined
    : "its requests do not stream, and a body has one reply with one list of calls";

/** A call that the host says a second time, under another id or without one. */
export const repeatedCalls: ScriptList = onlyForCalls(
  unlessEmpty(
    (context) =>
      (context.wire.repetitions ?? []).map(({ id, how, repeat }) =>
        answeredWith(
          context,
          { id, name: `one call ${how}` },
          { frames: repeat(renderReply(context).frames) },
          context.calls.slice(0, 1),
        ),
      ),
    (context) => whyNoStream(context) ?? whyNoRepetition(context),
  ),
);

/** A call of a reply that was cut, and behind it in the same body another reply. */
export const secondReplies: ScriptList = onlyForCalls(
  unlessEmpty(
    (context) =>
      repliesBehindACall(context.wire, [context.calls[0], context.calls[1]]).map(
        ({ id, at, frames, calls }) => answeredWith(context, { id, name: at }, { frames }, calls),
      ),
    whyNoStream,
  ),
);
