/** What to do about a host that numbers blocks differently. */
export const remedy =
  'If this host numbers its content blocks in its own way, set `blocks: "loose"`.';

/** The indices of the content blocks of one reply. They count from 0, without gaps. https://platform.claude.com/docs/en/build-with-claude/streaming */
export interface Numbering {
  begin(index: number): void;
  end(index: number): void;
  begun(): boolean;
  /** Throws where the indices show that a block did not arrive. */
  settle(): void;
}

export function createNumbering(): Numbering {
  const known = new Set<number>();
  const ended = new Set<number>();
  let highest = -1;
  return {
    begin(index) {
      known.add(index);
      if (Number.isInteger(index)) highest = Math.max(highest, index);
    },
    end(index) {
      if (!known.has(index)) ended.add(index);
    },
    begun: () => known.size > 0,
    settle() {
      for (const index of ended)
        if (!known.has(index))
          throw new Error(`Content block ${index} ended, but never began. ${remedy}`);
      let next = 0;
      while (known.has(next)) next++;
      if (next <= highest)
        throw new Error(`Content block ${next} is missing before block ${highest}. ${remedy}`);
    },
  };
}
