// The gateway without and with its guard, in a process of their own, as in production. The argument
// is the URL of the provider.
import { createGateway, type Route, startServer } from "@fullstop/gateway";

const providerURL = process.argv[2] ?? "";

async function startProxy(route: Route): Promise<string> {
  const handler = createGateway({ routes: { provider: route } });
  const server = await startServer({ handler, port: 0 });
  return `http://127.0.0.1:${server.port}`;
}

process.send?.({
  plain: await startProxy({ url: providerURL, host: "unguarded" }),
  guarded: await startProxy({ url: providerURL }),
});
process.on("disconnect", () => process.exit());
