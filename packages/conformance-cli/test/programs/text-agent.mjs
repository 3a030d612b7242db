// A client of Chat Completions without tools: it writes the file that the text of a reply describes.
// With the argument "careless" it does so too if the reply did not finish.
import { writeFileSync } from "node:fs";

const careless = process.argv.includes("careless");
const messages = [
  { role: "system", content: "Answer with a file." },
  { role: "user", content: "Write the file." },
];
const body = JSON.stringify({ model: "gpt-5.5", messages, stream: true });
const url = `${process.env.OPENAI_BASE_URL}/chat/completions`;
const response = await fetch(url, { method: "POST", body });
const events = (await response.text().catch(() => ""))
  .split("\n")
  .filter((line) => line.startsWith("data: {"))
  .flatMap((line) => {
    try {
      return [JSON.parse(line.slice(6))];
    } catch {
      return careless ? [] : process.exit(1);
    }
  });
const choices = events.flatMap((event) => event.choices ?? []);
const text = choices.map(({ delta }) => delta.content ?? "").join("");
const stop = choices.findLast(({ finish_reason }) => finish_reason)?.finish_reason;
const failed = events.some(({ error }) => error);
const [name, ...lines] = text.split("\n");
if (lines.length > 0 && ((stop === "stop" && !failed) || careless))
  writeFileSync(name, lines.join("\n"));
