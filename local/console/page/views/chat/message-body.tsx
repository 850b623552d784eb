import type { Message } from "./chat-types.ts";
import { keptFile, outsideLink } from "./media-address.ts";
import { type Attachment, attachmentsOf, sayMessage, splitMentions } from "./message-words.ts";

/** "Copy JSON" has the whole text. */
const shownCharacters = 20_000;

export function MessageBody({ message }: { message: Message }) {
  if (message.deletedAt !== undefined) return <p class="soft">{sayMessage(message)}</p>;
  const { text, mentions, customData } = message.data;
  const files = attachmentsOf(message);
  return (
    <>
      {files.length > 0 && (
        <ul class="stack" aria-label="Files">
          {files.map((file, index) => (
            <li key={`${index} ${file.url}`}>
              <FileView file={file} />
            </li>
          ))}
        </ul>
      )}
      {typeof text === "string" && text !== "" && <TextView text={text} mentions={mentions} />}
      {message.category === "custom" && (
        <>
          <p class="soft">{`Custom message of type ${message.type}`}</p>
          <pre class="chat-custom small">
            {(JSON.stringify(customData, undefined, 2) ?? "").slice(0, 2_000)}
          </pre>
        </>
      )}
      {files.length === 0 && typeof text !== "string" && message.category !== "custom" && (
        <p class="soft">{sayMessage(message)}</p>
      )}
    </>
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

function FileView({ file }: { file: Attachment }) {
  const kept = keptFile(file.url);
  const kind = file.mimeType.split("/")[0];
  if (kept !== undefined && kind === "image") {
    return (
      <a href={kept} download={file.name}>
        <img class="chat-image" src={kept} alt={file.name} loading="lazy" />
      </a>
    );
  }
  if (kept !== undefined && kind === "audio") {
    // biome-ignore lint/a11y/useMediaCaption: what users send has no captions
    return <audio class="chat-audio" src={kept} controls aria-label={file.name} />;
  }
  if (kept !== undefined && kind === "video") {
    // biome-ignore lint/a11y/useMediaCaption: what users send has no captions
    return <video class="chat-image" src={kept} controls aria-label={file.name} />;
  }
  const href = kept ?? outsideLink(file.url);
  const words = `${file.name}${file.size === undefined ? "" : ` (${sizeOf(file.size)})`}`;
  if (href === undefined) return <span>{words}</span>;
  return kept === undefined ? (
    <a href={href} target="_blank" rel="noreferrer">
      {words}
    </a>
  ) : (
    <a href={href} download={file.name}>
      {words}
    </a>
  );
}

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
