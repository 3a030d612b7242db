// A gateway for the tests: node proxy.mjs PORT UPSTREAM [FAULT]. It passes requests under /model on.
import { createServer, request } from "node:http";

const [port, upstream, fault] = process.argv.slice(2);

/** What happens to the text of a reply. */
const changes = {
  relabels: (text) => text.replaceAll(/"stop_reason":"\w+"/g, '"stop_reason":"tool_use"'),
};
const change = changes[fault] ?? ((text) => text);

async function pass(incoming, outgoing) {
  const { method, url, headers } = incoming;
  if (fault === "dies" && method === "POST") process.exit(3);
  if (!url.startsWith("/model/")) return outgoing.writeHead(404).end();
  const { host: _, "content-length": __, ...rest } = headers;
  const forwarded = request(upstream + url.slice("/model".length), { method, headers: rest });
  forwarded.on("error", () => outgoing.destroy());
  forwarded.on("response", (response) => {
    outgoing.writeHead(response.statusCode, response.headers);
    outgoing.flushHeaders();
    response.setEncoding("latin1");
    response.on("data", (piece) => outgoing.write(change(piece), "latin1"));
    response.on("end", () => outgoing.end());
    response.on("error", () => outgoing.socket?.resetAndDestroy());
  });
  incoming.pipe(forwarded);
}

if (fault === "refuses") {
  console.log("I do not like this port.");
  process.exit(4);
}
if (fault === "sleeps") setInterval(() => console.log("asleep"), 10);
else createServer(pass).listen(Number(port), "127.0.0.1");
