import { conform } from "@fullstop/conformance/vitest";
import { openaiChatWire } from "@fullstop/conformance/wires/openai-chat";
import { openaiChat } from "@fullstop/provider-openai";

conform({ wire: openaiChatWire, adapter: (endpoint) => openaiChat("gpt-5.2", { apiKey: "key", ...endpoint }) }, { exhaustive: true });
