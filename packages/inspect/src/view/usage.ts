import type { Usage } from "@fullstop/core";

export const noUsage: Usage = { input: 0, output: 0 };

type Count = Exclude<keyof Usage, "towardCap">;
const optionalCounts: readonly Exclude<Count, "input" | "output">[] = [
  "cacheRead",
  "cacheWrite",
  "reasoning",
];

/** The sum of two usages, or their difference. A count that neither has stays absent. */
export function addUsage(left: Usage, right: Usage, sign: 1 | -1 = 1): Usage {
  const sum: { -readonly [Key in keyof Usage]: Usage[Key] } = {
    input: left.input + sign * right.input,
    output: left.output + sign * right.output,
  };
  for (const count of optionalCounts)
    if (left[count] !== undefined || right[count] !== undefined)
      sum[count] = (left[count] ?? 0) + sign * (right[count] ?? 0);
  return sum;
}
