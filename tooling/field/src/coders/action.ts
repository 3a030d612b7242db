/** The file in the work folder that a call of an agent's tool writes. */
export const effectFile = "ran.txt";
/** The two halves of what a whole call writes. A cut call has only the first. */
const firstHalf = "first-";
const secondHalf = "second.";
/** What a whole call leaves in the file. White space does not count. */
export const wholeEffect: string = firstHalf + secondHalf;

/** How an action is written in a reply: as a tool call, as a tool call with raw text, or as text. */
type ActionForm = "call" | "custom" | "text";

/** What the model asks an agent to do. */
export interface Action {
  readonly form: ActionForm;
  /** The name of the tool; empty for text. */
  readonly tool: string;
  /** The JSON of the input, or the raw text. */
  readonly whole: string;
  /** Its beginning, cut where the first half has an effect by itself. */
  readonly cut: string;
  /** The same, made valid: for JSON, with the brackets closed. */
  readonly shortened: string;
}

/** A call whose input has a text. The text must be the last member of the input. */
function callWithText(
  tool: string,
  texts: readonly [first: string, both: string],
  toInput: (text: string) => object,
): Action {
  const [first, both] = texts;
  const whole = JSON.stringify(toInput(both));
  const written = JSON.stringify(first).slice(1, -1);
  const cut = whole.slice(0, whole.indexOf(written) + written.length);
  return { form: "call", tool, whole, cut, shortened: JSON.stringify(toInput(first)) };
}

const append = (text: string): string => `printf ${text} >> ${effectFile}`;

/** A call of a tool that runs a command. */
export const shellCall = (tool: string, toInput: (command: string) => object): Action =>
  callWithText(tool, [append(firstHalf), `${append(firstHalf)} && ${append(secondHalf)}`], toInput);

/** A call of a tool that writes a file. */
export const writeCall = (tool: string, toInput: (content: string) => object): Action =>
  callWithText(tool, [firstHalf, wholeEffect], toInput);

/** A raw text in parts: with the first half of the effect, with the second, and its end. */
type RawText = readonly [first: string, second: string, end: string];

/** A call of a tool that takes a raw text instead of JSON. */
export const customCall = (tool: string, [first, second, end]: RawText): Action => ({
  form: "custom",
  tool,
  whole: first + second + end,
  cut: first,
  shortened: first + end,
});

/** A reply in text, for an agent that acts on text. */
export const textAction = (text: RawText): Action => ({ ...customCall("", text), form: "text" });

/** The halves as lines, for a text that is made by hand. */
export const [firstText, secondText] = [firstHalf, secondHalf];

/** A call that is never cut. */
export const plainCall = (tool: string, input: object): Action => {
  const whole = JSON.stringify(input);
  return { form: "call", tool, whole, cut: whole, shortened: whole };
};
