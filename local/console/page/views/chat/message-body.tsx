import { sizeOf } from "../../parts/texts.tsx";
import type { Message } from "./chat-api.ts";
import { keptFile, outsideLink } from "./media-address.ts";
import {
  type Attachment,
  attachmentsOf,
  describeMessage,
  splitMentions,
  toolWords,
} from "./message-words.ts";

const shownCharacters = 20_000;

export function MessageBody({ message }: { message: Message }) {
  if (message.deletedAt !== undefined) return <p class="soft">{describeMessage(message)}</p>;
  const { text, mentions, customData } = message.data;
  const files = attachmentsOf(message);
  const isCustom = message.category === "custom";
  const asked = toolWords(message);
  const hasText = typeof text === "string" && text !== "" && asked === "";
  return (
    <>
      {files.length > 0 && (
        <ul class="stack" aria-label="Files">
          {files.map((file, index) => (
            <li key={`${index} ${file.url}`}>
              <FileView {...file} />
            </li>
          ))}
        </ul>
      )}
      {hasText && <TextView text={text} mentions={mentions} />}
      {isCustom && (
        <>
          <p class="soft">Custom message of type {message.type}</p>
          <pre class="chat-custom small">
            {(JSON.stringify(customData, undefined, 2) ?? "").slice(0, 2_000)}
          </pre>
        </>
      )}
      {files.length === 0 && !hasText && !isCustom && <Described text={describeMessage(message)} />}
    </>
  );
}

function Described({ text }: { text: string }) {
  const rest = text.slice(400, shownCharacters);
  return (
    <div class="soft">
      {text.slice(0, 400)}
      {rest !== "" && (
        <details>
          <summary>All of it</summary>
          {rest}
        </details>
      )}
    </div>
  );
}

function TextView({ text, mentions }: { text: string; mentions: unknown }) {
  const shown = text.slice(0, shownCharacters);
  return (
    <p class="chat-text" dir="auto">
      {splitMentions(shown, mentions).map((part, index) =>
        part.isMention ? (
          <strong key={index} class="toned">
            {part.text}
          </strong>
        ) : (
          <Linked key={index} text={part.text} />
        ),
      )}
      {shown.length < text.length && "…"}
    </p>
  );
}

function Linked({ text }: { text: string }) {
  return (
    <>
      {text.split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)])/).map((part, index) => {
        const href = index % 2 === 1 ? outsideLink(part) : undefined;
        if (href === undefined) return part;
        return (
          <a key={index} href={href} target="_blank" rel="noreferrer">
            {part}
          </a>
        );
      })}
    </>
  );
}

function FileView({ url, name, mimeType, size }: Attachment) {
  const kept = keptFile(url);
  const words = size === undefined ? name : `${name} (${sizeOf(size)})`;
  if (kept === undefined) {
    const href = outsideLink(url);
    if (href === undefined) return <span>{words}</span>;
    return (
      <a href={href} target="_blank" rel="noreferrer">
        {words}
      </a>
    );
  }
  switch (mimeType.split("/")[0]) {
    case "image":
      return (
        <a href={kept} download={name}>
          <img class="chat-image" src={kept} alt={name} loading="lazy" />
        </a>
      );
    case "audio":
      // biome-ignore lint/a11y/useMediaCaption: what users send has no captions
      return <audio class="chat-audio" src={kept} controls aria-label={name} />;
    case "video":
      // biome-ignore lint/a11y/useMediaCaption: what users send has no captions
      return <video class="chat-image" src={kept} controls aria-label={name} />;
    default:
      return (
        <a href={kept} download={name}>
          {words}
        </a>
      );
  }
}
