// Calls the route handler of a module once, and prints what it answers: node handler.ts MODULE BODY
const [module = "", body = ""] = process.argv.slice(2);
const { POST } = (await import(module)) as {
  readonly POST: (request: Request) => Promise<Response>;
};
const headers = { "content-type": "application/json" };
const request = new Request("http://127.0.0.1/api/chat", { method: "POST", headers, body });
const response = await POST(request);
process.stdout.write(await response.text());

export {};
