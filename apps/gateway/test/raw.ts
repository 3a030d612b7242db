import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** A connection whose bytes a test writes and reads itself. */
export interface RawConnection extends Disposable {
  readonly socket: Socket;
  /** What has arrived. */
  text(): string;
  /** How the connection ended: with an error, or as usual. `undefined`: it is open. */
  end(): "ended" | "reset" | undefined;
}

export async function openRaw(port: number, bytes = ""): Promise<RawConnection> {
  let received = "";
  let ended: "ended" | "reset" | undefined;
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("latin1").on("data", (text) => {
    received += text;
  });
  socket.on("end", () => {
    ended ??= "ended";
  });
  socket.on("error", () => {
    ended ??= "reset";
  });
  await once(socket, "connect");
  socket.write(bytes, "latin1");
  return {
    socket,
    text: () => received,
    end: () => ended,
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** The head of a request, and its body. */
export const rawRequest = (line: string, headers: readonly string[] = [], body = ""): string =>
  `${[line, "host: localhost", ...headers].join("\r\n")}\r\n\r\n${body}`;
