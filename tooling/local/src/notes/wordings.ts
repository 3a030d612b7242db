/** To compare with: what the model does without a word about the reply. */
const withoutNote = { "without a note": "Continue." };

/** Other wordings of each note, by their idea. */
export const wordings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a call that the cap cut": {
    ...withoutNote,
    "one step":
      "Your call of write was too long, so it did not run. Call write again with less text.",
    "fact only": "Your reply was cut off at the output limit, and the call of write did not run.",
  },
  "a call that cannot be used": {
    ...withoutNote,
    "one step":
      'Your call of read did not run. Call read again. Its input is like {"path": "..."}.',
    "fact only": "The input of your call of read is not valid JSON, so it did not run.",
  },
  "a call that is written as text": {
    ...withoutNote,
    "one step": "Call read now.",
    "fact only": "You wrote a call of read as text, so it did not run.",
  },
  "an empty reply to a result": {
    ...withoutNote,
    "one step": "Your reply was empty. Call the next tool now.",
    "fact only": "Your reply was empty.",
  },
};
