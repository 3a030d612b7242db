import { describe, expect, test } from "vitest";
import { readAll, respond } from "./stream.ts";

describe("what gateways write between and behind the frames of a reply", () => {
  test("a comment inside the data of an event makes it unreadable", async () => {
    for (const body of [
      'data: {"a":\ndata: : keepalive\ndata: 1}\n\n',
      'data: : keepalive\ndata: {"a":1}\n\n',
      'data: {"a":\n\ndata: : keepalive\n\ndata: 1}\n\n',
    ])
      expect((await readAll(respond([body]))).thrown).toMatchObject({ kind: "malformed-reply" });
  });

  test("a body that has only comments is not a reply", async () => {
    const { thrown } = await readAll(respond(["data: : keepalive\n\n"]));
    expect(thrown).toMatchObject({ kind: "malformed-reply" });
  });

  test("a JSON body may have the end of a stream behind it", async () => {
    for (const end of ["data: [DONE]", "\n\ndata: [DONE]\n\n", "\ndata:[DONE]\r\n"]) {
      expect((await readAll(respond([`{"a":1}${end}`]))).natives).toEqual([{ a: 1 }]);
      expect((await readAll(respond([`{"a":1${end}`]))).thrown).toMatchObject({ kind: "cut" });
      expect((await readAll(respond([`{"a":1}{"a":2}${end}`]))).thrown).toMatchObject({
        kind: "malformed-reply",
      });
    }
  });
});
