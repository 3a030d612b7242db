import { useChat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from "ai";
import { createElement as element, type ReactElement, type ReactNode } from "react";
import { createRoot } from "react-dom/client";

type Part = UIMessage["parts"][number];

/** A page as the documents of `useChat` show it. It knows nothing of Fullstop. */
function Page({ id, messages: stored }: { id: string; messages: UIMessage[] }): ReactElement {
  const chat = useChat({
    id,
    messages: stored,
    resume: new URL(location.href).searchParams.has("resume"),
    transport: new DefaultChatTransport({ api: "/api/chat" }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
  const { messages, status, error, sendMessage, stop, addToolApprovalResponse } = chat;
  const answer = (approvalId: string, approved: boolean): ReactElement =>
    element(
      "button",
      {
        type: "button",
        key: String(approved),
        onClick: () => addToolApprovalResponse({ id: approvalId, approved }),
      },
      approved ? "Allow" : "Deny",
    );
  const show = (part: Part, index: number): ReactNode => {
    if (part.type === "text") return element("p", { key: index, className: "text" }, part.text);
    if (!("toolCallId" in part)) return null;
    const { state, input, errorText, approval } = part;
    const isAsked = state === "approval-requested" && approval !== undefined;
    return element(
      "section",
      { key: index, className: "tool", "data-state": state },
      element("code", null, JSON.stringify({ type: part.type, input, output: part.output })),
      errorText,
      ...(isAsked ? [answer(approval.id, true), answer(approval.id, false)] : []),
    );
  };
  return element(
    "main",
    null,
    element("output", { id: "status" }, status),
    element("output", { id: "error" }, error?.message),
    ...messages.map((message) =>
      element("article", { key: message.id, className: message.role }, message.parts.map(show)),
    ),
    element("pre", { id: "messages" }, JSON.stringify(messages)),
    element("button", { type: "button", onClick: () => sendMessage({ text: "Go." }) }, "Send"),
    element("button", { type: "button", onClick: () => stop() }, "Stop"),
  );
}

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root.");
const response = await fetch("/stored");
createRoot(root).render(element(Page, await response.json()));
