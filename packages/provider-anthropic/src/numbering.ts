/** What to do if a host numbers its content blocks differently. */
export const looseBlocksHint =
  'If this host numbers its content blocks differently, set `blocks: "loose"`.';

/**
 * The indices of the content blocks of one reply. They count from 0, without gaps.
 * https://platform.claude.com/docs/en/build-with-claude/streaming
 */
export interface Numbering {
  start(index: number): void;
  stop(index: number): void;
  hasBlocks(): boolean;
  /** Throws if the indices show that a block did not arrive. */
  assertComplete(): void;
}

export function createNumbering(): Numbering {
  const started = new Set<number>();
  const stoppedEarly = new Set<number>();
  let highest = -1;
  return {
    start(index) {
      started.add(index);
      if (Number.isInteger(index)) highest = Math.max(highest, index);
    },
    stop(index) {
      if (!started.has(index)) stoppedEarly.add(index);
    },
    hasBlocks: () => started.size > 0,
    assertComplete() {
      for (const index of stoppedEarly)
        if (!started.has(index))
          throw new Error(`Content block ${index} ended, but never started. ${looseBlocksHint}`);
      let next = 0;
      while (started.has(next)) next++;
      if (next <= highest)
        throw new Error(
          `Content block ${next} is missing before block ${highest}. ${looseBlocksHint}`,
        );
    },
  };
}
