import { fileURLToPath } from "node:url";
import { report } from "@fullstop/conformance";
import {
  judgeRoute,
  loadReader,
  observeReplies,
  probeRequests,
  startUpstream,
} from "@fullstop/conformance/gateway";
import { expect, test } from "vitest";
import { openFront } from "./servers.ts";

/** The app has every provider. */
const folder = fileURLToPath(new URL("../../cli/", import.meta.url));

/** Where each protocol has its base URL, and the clauses that nothing shows about it. */
const protocols = {
  anthropic: ["", ["upstream.once"]],
  "openai-chat": ["/v1", ["upstream.once"]],
  "openai-responses": ["/v1", []],
  gemini: ["", ["upstream.form", "upstream.once"]],
} as const;

test.for(Object.entries(protocols))("requests of %s arrive as they must", async ([name, row]) => {
  const front = name as keyof typeof protocols;
  const [path, notAsked] = row;
  const upstream = await startUpstream();
  try {
    await using gateway = await openFront(upstream);
    const reader = await loadReader(front, folder);
    const readers = { front: reader, behind: reader };
    const url = `${gateway.url}/up${path}`;
    const route = { front, behind: front, url, readers, upstream, timeoutMs: 20_000 };
    const probes = await probeRequests(route);
    const observations = await observeReplies(route, { jobs: 4, sample: 4 });
    const found: string[] = [];
    for await (const verdict of judgeRoute({ route, observations, probes }, { only: "upstream" })) {
      expect(verdict.status, report(verdict)).not.toBe("broken");
      if (verdict.status === "not-asked") found.push(verdict.clause.id);
    }
    expect(found).toEqual(notAsked);
  } finally {
    await upstream.close();
  }
});
