// Loaded before a block: sends its requests to the server of `PROVIDER_URL`, except those to a
// service that the test started: `SERVICE_URL`.
const provider = process.env["PROVIDER_URL"];
const service = process.env["SERVICE_URL"];
const { fetch } = globalThis;

globalThis.fetch = (input, init) => {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.origin === service) return fetch(input, init);
  return fetch(new URL(url.pathname, provider), init);
};
