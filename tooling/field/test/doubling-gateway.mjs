// A gateway that writes each tool call of an Anthropic stream a second time, under another id.
import { createServer } from "node:http";

const [port, upstream] = process.argv.slice(2);

const lastIndex = (text) =>
  Math.max(...[...text.matchAll(/"index":(\d+)/g)].map(([, at]) => Number(at)));

function twice(text) {
  const calls = [
    ...text.matchAll(
      /event: content_block_start\ndata: [^\n]*"tool_use"[\s\S]*?event: content_block_stop\n[^\n]*\n\n/g,
    ),
  ];
  let next = lastIndex(text);
  return calls.reduce((written, [block]) => {
    next++;
    const copy = block.replace(/"index":\d+/g, `"index":${next}`).replace(/"id":"/, '"id":"again_');
    return written.replace(block, `${block}${copy}`);
  }, text);
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
  const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
  const answer = await fetch(`${upstream}${request.url}`, {
    method: request.method,
    headers,
    body,
  });
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
  response.end(twice(await answer.text()));
}).listen(Number(port), "127.0.0.1");
