import type { Edit, GrantedCall } from "./protocol.ts";
import { isSameInput, type ReadCall } from "./same-calls.ts";

export interface BlockKinds {
  readonly isCall: (block: unknown) => boolean;
  /**
   * Reasoning whose signature covers all that stands before it. A vendor that finds something else
   * there refuses the request, and each later one.
   * https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
   */
  readonly isBound: (block: unknown) => boolean;
}

/** `dropped`: it leaves the reply. A call stands in place of the block that said it. */
export type Fate = "kept" | "dropped" | GrantedCall;

export interface Placer {
  /** For each block, in their order. `read`: the call that the block says. */
  fateOf(block: unknown, read: ReadCall | undefined): Fate;
  /** The calls that no block said. */
  left(): readonly GrantedCall[];
}

/** Puts each call in its place once. Bound reasoning behind a call that is gone or changed goes. */
export function createPlacer(calls: Edit["calls"], { isCall, isBound }: BlockKinds): Placer {
  const left = [...calls];
  let isBehindChange = false;
  return {
    left: () => left,
    fateOf(block, read) {
      if (!isCall(block)) return isBehindChange && isBound(block) ? "dropped" : "kept";
      const call = read && takeCall(left, read);
      isBehindChange ||= call === undefined || call.id !== read?.id || !isSameCall(call, read);
      return call ?? "dropped";
    },
  };
}

/** Takes the call that a block says, or the one of which it says the input in another form. */
function takeCall(left: GrantedCall[], read: ReadCall): GrantedCall | undefined {
  const same = left.findIndex((call) => isSameCall(call, read));
  const isOtherForm = ({ nativeId, name }: GrantedCall): boolean =>
    nativeId !== undefined && nativeId === read.id && name === read.name;
  const at = same < 0 ? left.findIndex(isOtherForm) : same;
  return at < 0 ? undefined : left.splice(at, 1)[0];
}

const isSameCall = ({ nativeId, name, inputText }: GrantedCall, read: ReadCall): boolean =>
  (nativeId === undefined || nativeId === read.id) &&
  name === read.name &&
  isSameInput(inputText, read.inputText);

/** The same for a reply in one piece. `render`: a call, or the calls that no block said. */
export function placeCalls<Block>(
  blocks: readonly Block[],
  placer: Placer,
  {
    readCall,
    render,
  }: {
    readonly readCall: (block: Block) => ReadCall | undefined;
    readonly render: (calls: readonly GrantedCall[]) => readonly Block[];
  },
): readonly Block[] {
  const placed = blocks.flatMap((block): readonly Block[] => {
    const fate = placer.fateOf(block, readCall(block));
    if (fate === "kept") return [block];
    return fate === "dropped" ? [] : render([fate]);
  });
  return [...placed, ...render(placer.left())];
}
