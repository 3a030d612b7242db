/** Queues by name, whose members may stop to fit while they wait. Each is passed over once. */
export interface Queues<Member> {
  add(name: string, member: Member): void;
  /** The first that still fits; it stays. */
  first(name: string): Member | undefined;
}

export function createQueues<Member>(fits: (member: Member) => boolean): Queues<Member> {
  const queues = new Map<string, { readonly members: Member[]; head: number }>();
  return {
    add(name, member) {
      const queue = queues.get(name);
      if (queue === undefined) queues.set(name, { members: [member], head: 0 });
      else queue.members.push(member);
    },
    first(name) {
      const queue = queues.get(name);
      if (queue === undefined) return undefined;
      for (; queue.head < queue.members.length; queue.head++) {
        const member = queue.members[queue.head];
        if (member !== undefined && fits(member)) return member;
      }
      return undefined;
    },
  };
}
