/** Milliseconds of CPU that a task may take without being compared. Tasks here take a few. */
const unnoticed = 400;
/** `times` more text may cost this many times as much: four times what linear work costs. */
const times = 16;
const allowed = 4 * times;
const shortest = 4096;

const cpuOf = async (task: () => unknown): Promise<number> => {
  const before = process.cpuUsage();
  await task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

/**
 * Whether a task that gets a length costs at most in proportion to it. Timing decides only between
 * a few milliseconds and the seconds that quadratic work costs at 64 Ki.
 */
export async function growthOf(task: (length: number) => unknown): Promise<"linear" | string> {
  const long = await cpuOf(() => task(times * shortest));
  if (long <= unnoticed) return "linear";
  const short = await cpuOf(() => task(shortest));
  return long <= allowed * Math.max(short, unnoticed / allowed)
    ? "linear"
    : `${times * shortest} characters cost ${Math.round(long / short)} times the CPU of ${shortest}`;
}

/** Texts that expressions about replies, headers and markup repeat. */
export const pumps: readonly string[] = [
  "\n",
  " ",
  "\t",
  "\\",
  "[",
  "{",
  "a",
  "0",
  ",",
  "/",
  "_",
  "`",
  '"',
  ":a",
  "<tool_call>",
  "<tool_call>\n",
  '<invoke name="read">',
  '{"name":"read","arguments":{',
  "call:read",
  "\n> ",
  "\n```",
  "<a>",
  "https://a:",
  "Bearer ",
  '"token":"',
];

export const pumped = (pump: string, length: number): string =>
  `${pump.repeat(Math.ceil(length / pump.length))}x`;
