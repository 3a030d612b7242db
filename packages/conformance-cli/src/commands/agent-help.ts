import { readyPath } from "../agent/gateway.ts";

/** What `--help` says after the options. */
export const agentHelp: string = `
The program:
  Any program, in any language. It is started about thirty times, each time in a fresh folder,
  against a server on the loopback that plays the model. It must work without asking questions,
  send its requests to the server that these variables name, and end when the model is done:

  ANTHROPIC_BASE_URL      Anthropic's SDKs; the AI SDK (@ai-sdk/anthropic)
  OPENAI_BASE_URL         OpenAI's SDKs and Agents; LangChain; the AI SDK (@ai-sdk/openai)
  OPENAI_API_BASE         LiteLLM; older LangChain
  GOOGLE_GEMINI_BASE_URL  Google's Gen AI SDKs

  with ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY, GOOGLE_API_KEY and
  GOOGLE_GENERATIVE_AI_API_KEY, which have no real key. It may offer any tools, and the model
  calls one of them. A call ran if it changed files as a complete call does. If a complete call
  changes no file, the call ran if its result is in the next request.

The tool:
  The model calls a tool that writes a file; otherwise one that runs a command; otherwise
  one that takes a text. Standard error names it. --tool names another. --tool-input gives the
  input of a tool whose language the suite does not write, such as JavaScript or patches: a file
  with JSON, or with the text itself for a custom tool. It holds the mark canary-1, which becomes
  canary-2 for a second call. The call must change a file of the folder.
  --final-tool is for a program that ends only by a call, such as final_answer; --final-input is a
  file with the input of that call, as JSON. By default every text in it is "All done.".
  --text is for a program that offers no tools and runs what a reply says. The file is a finished
  answer, which must change a file of the folder.

Time:
  --timeout counts from the first request that offers tools, so a slow start does not matter.
  --start-timeout limits the time before.

A gateway:
  --through judges the program behind a gateway. The line is started by the shell for each run and
  stays in the foreground. It listens at {port} of 127.0.0.1 and passes requests to {upstream},
  which plays the model. The variables above then name the gateway, with --through-path at the end.
  The program is started when ${readyPath} of the gateway answers, with 404 too.

Examples:
  fullstop conformance agent -- node my-agent.js
  fullstop conformance agent --wire openai-chat --only stop -- python agent.py
  fullstop conformance agent --tool write_file --timeout 120 -- ./my-agent
  fullstop conformance agent --only stop.words/refusal --traffic ./traffic -- node my-agent.js
  fullstop conformance agent --reporter issue --output issue.md -- node my-agent.js
  fullstop conformance agent --through "npx fullstop gateway --port {port} --to model={upstream}" \\
    --through-path /model -- node my-agent.js
`;
