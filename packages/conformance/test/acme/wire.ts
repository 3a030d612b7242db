import type { AdapterSubject, Wire } from "../../src/index.ts";
import { acme } from "./acme.ts";

const wire: Wire = {
  name: "acme-chat",
  words: { stop: "done", "tool-use": "tool", length: "budget", "content-filter": "policy" },
  frames: ({ blocks, stop, output }) => ({
    upToTerminal: [
      ...blocks.flatMap((block, n): object[] =>
        "text" in block
          ? [{ say: "text", text: block.text }]
          : [
              { say: "tool", n, id: block.id, name: block.name },
              { say: "input", n, json: JSON.stringify(block.input) },
              { say: "tool_done", n },
            ],
      ),
      { say: "end", why: stop, tokens: { in: 1, out: output } },
    ].map((event) => JSON.stringify(event)),
  }),
  violations: () => [],
};

const subject: AdapterSubject = { wire, adapter: (endpoint) => acme("acme-large", endpoint) };
export default subject;
