/** What a person begins with. Each is a folder in `templates`. */
export type Kind = "agent" | "guard" | "judge";

interface Beginning {
  /** The answer to the question of `fullstop init`. */
  readonly answer: string;
  /** What `npm start` shows, and what comes next. */
  readonly shows: string;
}

export const kinds: Readonly<Record<Kind, Beginning>> = {
  agent: {
    answer: "nothing yet: a new agent, with a loop",
    shows:
      "An agent with one tool. A script plays the model, and its first reply is cut: the call does not run.",
  },
  guard: {
    answer: "an agent: guard it, with one line",
    shows:
      "A careless agent with the guard. `npm run unguarded` is the same without it. In your own agent the line is `fetch: guard()`.",
  },
  judge: {
    answer: "a framework, or an agent in any language: judge it",
    shows:
      "The suite plays the model for agent.ts, and reports what it ran. Put your own framework into agent.ts.",
  },
};

export const kindNames = Object.keys(kinds) as readonly Kind[];

/** The kind that an answer names, by its number or its name. */
export const kindOf = (answer: string): Kind | undefined =>
  kindNames.find((kind, index) => [kind, String(index + 1)].includes(answer.trim()));
