// Calls the route handler of a module once, and prints what it answers.
const { POST } = (await import(process.argv[2] ?? "")) as {
  readonly POST: (request: Request) => Promise<Response>;
};
const body = JSON.stringify([{ role: "user", content: "Say good morning." }]);
const response = await POST(new Request("http://127.0.0.1/chat", { method: "POST", body }));
process.stdout.write(await response.text());

export {};
