/** In small letters without `_`. The own name of an option in a group is found, too. */
const optionNames: Readonly<Record<string, string>> = {
  adapter: "model",
  system: "instructions systemprompt",
  prompt: "input",
  messages: "messagehistory history",
  tools: "activetools handoffs mcpservers",
  approve: "needsapproval interrupton",
  output: "outputtype outputschema responseformat experimentaloutput",
  request: "modelsettings",
  "request.toolChoice": "",
  "request.maxTokens": "maxoutputtokens maxcompletiontokens",
  "request.effort": "reasoning reasoningeffort",
  "request.cache": "",
  limits: "usagelimits",
  "limits.turns": "maxsteps maxturns maxiterations recursionlimit",
  "limits.toolCalls": "maxtoolcalls",
  "limits.outputTokens": "",
  "limits.cost": "maxbudgetusd",
  "limits.price": "",
  "limits.deadlineMs": "timeout deadline",
  "limits.idleMs": "",
  "limits.firstEventMs": "",
  "limits.concurrency": "maxconcurrency",
  "limits.resultChars": "maxresultchars",
  recovery: "attempts",
  "recovery.requests": "maxretries retries",
  "recovery.notes": "",
  "recovery.capRaises": "",
  "recovery.maxWaitMs": "",
  "recovery.compact": "",
  "recovery.fallback": "fallbackmodel",
  beforeTurn: "preparestep historyprocessors callmodelinputfilter steer",
  stopWhen: "toolusebehavior",
  "journal.store": "checkpointer session open",
  "journal.runId": "threadid",
  "journal.settle": "",
  signal: "abortsignal",
  onEvent: "onstepfinish onfinish callbacks",
};

const toolKeyNames: Readonly<Record<string, string>> = {
  inputSchema: "parameters schema argsschema",
  execute: "func handler",
  needsApproval: "requiresapproval",
  ends: "returndirect",
  timeoutMs: "timeout",
};

const byForeignName = (names: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([path, foreign]) => {
      const [, name = ""] = path.split(".");
      const own = name === "" ? [] : [name.toLowerCase()];
      return [...own, ...foreign.split(" ")].filter(Boolean).map((known) => [known, path]);
    }),
  );
export const optionAliases: Readonly<Record<string, string>> = byForeignName(optionNames);
export const toolAliases: Readonly<Record<string, string>> = byForeignName(toolKeyNames);

const adapterOptions =
  /^(temperature|top[pk]|seed|stop(sequences)?|(presence|frequency)penalty|paralleltoolcalls|provideroptions|headers|params|apikey|baseurl)$/;

/** A sentence about an unknown option that is neither near an option nor an alias. */
export function adviseOnOption(letters: string): string | undefined {
  if (adapterOptions.test(letters)) return "Options of the provider belong to the adapter.";
  return /^(runtime)?context$|^deps/.test(letters)
    ? "A tool reads what it needs from the scope that it is created in."
    : undefined;
}
