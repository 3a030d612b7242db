import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { postgresJournal } from "@fullstop/journal-postgres";
import { Pool } from "pg";
import { expect, test } from "vitest";

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
/** What a backend sends whose server was killed at that moment, in one packet. */
const readyThenEnded = Buffer.concat([
  message("R", Buffer.alloc(4)),
  message("Z", Buffer.from("I")),
  message("E", Buffer.from("SFATAL\0C57P01\0Mthe postmaster exited\0\0")),
]);

test("a connection that ends in the packet that says it is ready does not end the process", async () => {
  const server = createServer((socket) => {
    socket.on("error", () => {}).once("data", () => socket.end(readyThenEnded));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const pool = new Pool({ host: "127.0.0.1", port, user: "postgres" });
  try {
    // Without a listener on the client, this test run has an uncaught error.
    await expect(postgresJournal(pool, { leaseMs: 200 }).open("r")).rejects.toMatchObject({
      kind: "unavailable",
    });
  } finally {
    await pool.end();
    server.close();
  }
});
