/** Queues by key. A member that no longer fits is skipped, and not checked again. */
export interface FilteredQueues<Member> {
  add(key: string, member: Member): void;
  /** Returns the first member that still fits, without removing it. */
  first(key: string): Member | undefined;
}

/** @param fits once `false` for a member, it must stay `false`. */
export function createFilteredQueues<Member>(
  fits: (member: Member) => boolean,
): FilteredQueues<Member> {
  const queues = new Map<string, { readonly members: Member[]; head: number }>();
  return {
    add(key, member) {
      const queue = queues.get(key);
      if (queue === undefined) queues.set(key, { members: [member], head: 0 });
      else queue.members.push(member);
    },
    first(key) {
      const queue = queues.get(key);
      if (queue === undefined) return undefined;
      for (; queue.head < queue.members.length; queue.head++) {
        const member = queue.members[queue.head];
        if (member !== undefined && fits(member)) return member;
      }
      return undefined;
    },
  };
}
