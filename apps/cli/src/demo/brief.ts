import type { DemoEvent, EventOf } from "./demo.ts";
import type { Terminal } from "./terminal.ts";
import { titleOfCall } from "./verdict.ts";

type Show = (event: DemoEvent) => void;
type Handlers = { readonly [Type in DemoEvent["type"]]: (event: EventOf<Type>) => void };

/** Replies in a row that are shown in one line, and what they say. */
interface Group {
  readonly replies: number[];
  readonly facts: Set<string>;
}
const emptyGroup = (): Group => ({ replies: [], facts: new Set() });

function describe({ replies, facts }: Group): string {
  const [first] = replies;
  const which = replies.length === 1 ? `reply ${first}` : `replies ${first} to ${replies.at(-1)}`;
  return `${which}: ${[...facts].join(", ")}`;
}

/** What the lines of the ordinary replies and of the repeated faults hold until they are written. */
function createGroups(terminal: Terminal): {
  readonly ran: () => Group;
  readonly heldBack: () => Group;
  readonly flush: () => void;
} {
  let ran = emptyGroup();
  let heldBack = emptyGroup();
  return {
    ran: () => ran,
    heldBack: () => heldBack,
    flush() {
      if (heldBack.replies.length > 0)
        terminal.entry("gate", `✖ held back: ${describe(heldBack)}`, "red");
      if (ran.facts.size > 0) terminal.entry("ran", `✔ ${describe(ran)}`, "cyan");
      ran = emptyGroup();
      heldBack = emptyGroup();
    },
  };
}

/** Shows the first reply of each kind of fault with `show`, and the other replies in a line each. */
export function showBriefly(show: Show, terminal: Terminal): Show {
  const shownStories = new Set<string>();
  const { ran, heldBack, flush } = createGroups(terminal);
  let story: string | undefined;
  let isShown = false;
  const showAfterOthers: Show = (event) => {
    flush();
    show(event);
  };
  const showIfShown: Show = (event) => {
    if (isShown) show(event);
  };
  const shown: Partial<Handlers> = {
    start: show,
    prompt: showAfterOthers,
    request: (event) => {
      ({ story } = event);
      isShown = event.problems.length > 0 || (story !== undefined && !shownStories.has(story));
      if (story !== undefined) shownStories.add(story);
      if (isShown) showAfterOthers(event);
    },
    "tool-input-start": showIfShown,
    "tool-input-delta": showIfShown,
    "tool-input-end": showIfShown,
    turn: (event) => {
      const { turn, reply, person } = event;
      // The line above it says that the reply was held back.
      if (isShown) return show({ ...event, person: person.replace(/ Held back .*$/s, "") });
      // Ctrl-C ended this reply. It ran nothing, and no fault of the demo held it back.
      if (turn.stopReason === "aborted") return;
      const isHeldBack = turn.withheld.length > 0;
      if (turn.calls[0]?.by !== "loop") (isHeldBack ? heldBack() : ran()).replies.push(reply);
      if (isHeldBack && story !== undefined) heldBack().facts.add(story);
    },
    "tool-result": (event) => {
      const { call, result } = event;
      if (call.by === "loop" || result.isError) showAfterOthers(event);
      else ran().facts.add(titleOfCall(call));
    },
    recovery: (event) => (event.action === "salvage" ? showAfterOthers : showIfShown)(event),
    outcome: (event) => {
      flush();
      if (event.status !== "done") show({ ...event, summary: "" });
    },
    verdict: (event) => showAfterOthers({ ...event, heldBack: [] }),
    end: show,
  };
  return (event) => (shown[event.type] as Show | undefined)?.(event);
}
