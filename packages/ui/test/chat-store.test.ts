import { mock } from "@fullstop/provider-mock";
import { type ChatStore, chatHandler, memoryChatStore, toUiMessages } from "@fullstop/ui";
import { expect, test } from "vitest";

const stored = (text: string): Parameters<ChatStore["save"]>[1] => ({
  version: 1,
  messages: [{ role: "user", content: text }],
  questions: [],
});
test("the store in memory drops the chats that were not used for the longest time", async () => {
  const byCount = memoryChatStore({ maxChats: 2 });
  for (const id of ["a", "b"]) expect(byCount.save(id, stored(id))).toBe(true);
  expect(byCount.save("a", { ...stored("a"), version: 2 })).toBe(true);
  expect(byCount.save("c", stored("c"))).toBe(true);
  expect(["a", "b", "c"].map((id) => byCount.load(id) !== undefined)).toEqual([true, false, true]);
  const bySize = memoryChatStore({ maxChars: 1_000 });
  bySize.save("a", stored("a"));
  bySize.save("b", stored("b".repeat(900)));
  expect(["a", "b"].map((id) => bySize.load(id) !== undefined)).toEqual([false, true]);
  bySize.save("c", stored("c".repeat(2_000)));
  expect(bySize.load("c")).toBeUndefined();
  expect(bySize.save("d", stored("d"))).toBe(true);
});

test("the store in memory refuses a version that is not the next one", () => {
  const store = memoryChatStore();
  expect(store.save("a", { ...stored("a"), version: 2 })).toBe(false);
  expect(store.save("a", stored("a"))).toBe(true);
  expect(store.save("a", stored("b"))).toBe(false);
  expect(store.load("a")).toEqual(stored("a"));
});

test("a store that has no such chat may say so with `null`, as databases do", async () => {
  const saved: string[] = [];
  const store = {
    load: async () => null,
    save: (id: string) => saved.push(id) > 0,
  } as unknown as ChatStore;
  const answer = chatHandler({ adapter: mock([]), store });
  const question = (id: string) => ({ id, role: "user", parts: [{ type: "text", text: id }] });
  const body = JSON.stringify({ id: "one", messages: [question("First."), question("Second.")] });
  const headers = { "content-type": "application/json" };
  const { status } = await answer(
    new Request("http://ui.invalid/api/chat", { method: "POST", headers, body }),
  );
  expect([status, saved]).toEqual([410, []]);
  expect(toUiMessages(await store.load("one"))).toEqual([]);
});
