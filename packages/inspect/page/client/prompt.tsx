import type { Message } from "@fullstop/core";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { PromptView } from "../../src/view/view.ts";
import { formatBytes, formatMany } from "./format.ts";
import { oneLine } from "./marks.ts";
import { Fold } from "./parts.tsx";
import { Json, Verbatim } from "./verbatim.tsx";

const changeWords: Readonly<Record<PromptView["changed"][number], string>> = {
  system: "instructions",
  tools: "tools",
  messages: "older messages",
  toolChoice: "choice of the tool",
  output: "form of the answer",
};

/** What a request asked. What is new since the request before comes first. */
export function Prompt({ prompt }: { readonly prompt: PromptView | undefined }): VNode {
  if (prompt === undefined) {
    return (
      <Fold title="Prompt" aside="not recorded">
        {() => <p class="muted">The recording does not have what this request asked.</p>}
      </Fold>
    );
  }
  const { request, sameMessages, changed } = prompt;
  const fresh = request.messages.slice(sameMessages);
  const news = [
    ...(fresh.length > 0 ? [formatMany(fresh.length, "new message")] : []),
    ...changed.map((part) => `changed ${changeWords[part]}`),
  ];
  const aside = news.length === 0 ? "the same as the request before" : news.join(", ");
  return (
    <Fold title="Prompt" aside={aside}>
      {() => (
        <>
          <h4>{`New since the request before: ${formatMany(fresh.length, "message")}`}</h4>
          <Messages messages={fresh} />
          {sameMessages > 0 && (
            <Fold title={`The same as before: ${formatMany(sameMessages, "message")}`}>
              {() => <Messages messages={request.messages.slice(0, sameMessages)} />}
            </Fold>
          )}
          <RequestParts prompt={prompt} />
        </>
      )}
    </Fold>
  );
}

function RequestParts({ prompt }: { readonly prompt: PromptView }): VNode {
  const { system, messages: _, ...rest } = prompt.request;
  return (
    <>
      {system !== undefined && (
        <Fold title={titleOf("Instructions", prompt.changed.includes("system"))}>
          {() => <Verbatim text={asText(system)} label="Instructions" />}
        </Fold>
      )}
      <Fold title={titleOf("Tools and options", prompt.changed.includes("tools"))}>
        {() => <Json value={rest} label="Tools and options" />}
      </Fold>
    </>
  );
}

const titleOf = (title: string, isChanged: boolean): string =>
  isChanged ? `${title} (changed)` : title;
const asText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");

const manyMessages = 40;
/** The newest messages first in the page, all of them after a click. */
function Messages({ messages }: { readonly messages: readonly Message[] }): VNode {
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? messages : messages.slice(-manyMessages);
  const left = messages.length - shown.length;
  return (
    <>
      {left > 0 && (
        <p class="gap">
          <span>{`${formatMany(left, "older message")} not shown`}</span>
          <button type="button" onClick={() => setOpen(true)}>
            Show all
          </button>
        </p>
      )}
      <ol class="messages">
        {shown.map((message, index) => (
          <MessageItem key={left + index} message={message} />
        ))}
      </ol>
    </>
  );
}

function MessageItem({ message }: { readonly message: Message }): VNode {
  const { role, content } = message;
  const by = role === "user" && message.by === "loop" ? "user, written by the loop" : role;
  if (typeof content === "string") {
    return (
      <li class={`message ${role}`}>
        <p class="role">{by}</p>
        <Verbatim text={content} label={`Message of ${by}`} />
      </li>
    );
  }
  return (
    <li class={`message ${role}`}>
      <p class="role">{by}</p>
      {content.map((block, index) => (
        <BlockItem key={index} block={block} />
      ))}
    </li>
  );
}

type AnyBlock = Exclude<Message["content"], string>[number];

export function BlockItem({ block }: { readonly block: AnyBlock }): VNode {
  if (block.type === "text" || block.type === "thinking") {
    return <Verbatim text={block.text} label={block.type} />;
  }
  if (block.type === "tool-call") {
    return (
      <div class="block">
        <p class="role">
          call of <code>{oneLine(block.name, 80)}</code>
        </p>
        <Verbatim text={block.inputText} label={`Input of ${oneLine(block.name, 80)}`} />
      </div>
    );
  }
  if (block.type === "tool-result") return <ResultBlock block={block} />;
  if ((block.type === "image" || block.type === "file") && block.data !== undefined) {
    return <p class="muted">{`${block.type}: ${mediaWords(block.mediaType, block.data)}`}</p>;
  }
  return <Json value={block} label={`${block.type} block`} />;
}

const mediaWords = (mediaType: string, base64: string): string =>
  `${oneLine(mediaType, 60)}, ${formatBytes(Math.floor(base64.length * 0.75))}`;

type ToolResult = Extract<AnyBlock, { readonly type: "tool-result" }>;

/** What a tool gave the model. */
export function ResultBlock({ block }: { readonly block: ToolResult }): VNode {
  const { name, content, isError } = block;
  return (
    <div class="block">
      <p class="role">
        {isError ? "error of " : "result of "}
        <code>{oneLine(name, 80)}</code>
      </p>
      {typeof content === "string" ? (
        <Verbatim text={content} label={`Result of ${oneLine(name, 80)}`} />
      ) : (
        content.map((part, index) => <BlockItem key={index} block={part} />)
      )}
    </div>
  );
}
