/** The output cap of every request of the suite, unless a clause sets another. A reply that was cut at the cap reports as many output tokens. */
export const cap = 1024;
/** The output tokens of every other reply: far below the cap. */
export const fewTokens = 12;
/** The output tokens of a reply. `cutAtCap`: its native stop reason says that it was cut at the cap. */
export const tokensFor = (cutAtCap: boolean): number => (cutAtCap ? cap : fewTokens);
