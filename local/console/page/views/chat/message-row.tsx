import { useMemo } from "preact/hooks";
import type { MessageMark } from "../../../api/journeys.ts";
import { toHash } from "../../parts/route.ts";
import { Badge, counted, Time } from "../../parts/texts.tsx";
import type { Message } from "./chat-api.ts";
import { MessageBody } from "./message-body.tsx";
import { describeMessage, isLine, moderationOf, senderName, shownReactions } from "./message-words.ts";
import { Avatar } from "./people.tsx";

/** The functions are stable between renderings. */
export interface RowActs {
  react(message: Message, reaction: string, isMine: boolean): void;
  openReactions(message: Message, anchor: HTMLElement): void;
  openMenu(message: Message, anchor: HTMLElement): void;
  openThread: ((message: Message) => void) | undefined;
}

interface RowProps {
  readonly message: Message;
  readonly uid: string;
  readonly isFollowing: boolean;
  readonly isTarget: boolean;
  readonly mark: MessageMark | undefined;
  readonly acts: RowActs;
}

/** Renders again only if the message has changed. */
export function MessageRow(props: RowProps) {
  const { message, uid, isFollowing, isTarget, mark, acts } = props;
  return useMemo(
    () => (isLine(message) ? <LineRow {...props} /> : <Bubble {...props} />),
    [message, uid, isFollowing, isTarget, mark, acts],
  );
}

function Bubble({ message, uid, isFollowing, isTarget, mark, acts }: RowProps) {
  const { id, sender, quotedMessage, deletedAt } = message;
  const isMine = sender === uid;
  const name = senderName(message);
  const classes = [
    "chat-message",
    isMine && "is-mine",
    isFollowing && "is-following",
    isTarget && "is-target",
  ];
  return (
    <li class={classes.filter(Boolean).join(" ")} data-message={id}>
      {!isMine && !isFollowing && <Avatar id={sender} name={name} />}
      <article class="chat-bubble" aria-label={`${name}, message ${id}`}>
        {!isFollowing && <p class="small chat-name">{isMine ? `${name} (you)` : name}</p>}
        {quotedMessage && (
          <blockquote class="chat-quote">
            <strong>{senderName(quotedMessage)}</strong> {describeMessage(quotedMessage).slice(0, 200)}
          </blockquote>
        )}
        <MessageBody message={message} />
        <Foot message={message} isMine={isMine} mark={mark} />
      </article>
      {deletedAt === undefined && <Tools message={message} acts={acts} />}
      <Marks message={message} acts={acts} />
    </li>
  );
}

function LineRow({ message, isTarget, acts }: RowProps) {
  return (
    <li class={`chat-line ${isTarget ? "is-target" : ""}`} data-message={message.id}>
      <span>{describeMessage(message)}</span>
      <Clock seconds={message.sentAt} />
      <Tools message={message} acts={acts} />
    </li>
  );
}

function Clock({ seconds }: { seconds: number }) {
  return (
    <span class="soft small">
      <Time ms={seconds * 1_000} />
    </span>
  );
}

function Foot({ message, isMine, mark }: Pick<RowProps, "message" | "mark"> & { isMine: boolean }) {
  const moderation = moderationOf(message);
  return (
    <p class="row soft chat-foot">
      {moderation && <Badge tone={tones[moderation.status] ?? "plain"}>{moderation.status}</Badge>}
      {moderation?.rule && <span>by rule {moderation.rule}</span>}
      {message.editedAt !== undefined && message.deletedAt === undefined && <span>edited</span>}
      <Clock seconds={message.sentAt} />
      {isMine && message.receiverType === "user" && <Receipt {...message} />}
      {mark && <Mark {...mark} />}
    </p>
  );
}

function Mark({ id, verdict, title, why }: MessageMark) {
  return (
    <a class={`chat-mark is-${verdict}`} href={toHash("journeys", [id])} title={why}>
      <span class="visually-hidden">Journey: </span>
      {title}
      {(verdict === "failed" || verdict === "waiting") && <span class="chat-mark-why">{why}</span>}
    </a>
  );
}

// Reported for one-to-one messages only (docs/internals/platform/messages.md#shape-of-a-message).
function Receipt({ deliveredAt, readAt }: Message) {
  const at = readAt ?? deliveredAt;
  if (at === undefined) return <span>sent</span>;
  return (
    <span>
      {readAt === undefined ? "delivered" : "read"} <Clock seconds={at} />
    </span>
  );
}

function Tools({ message, acts }: Pick<RowProps, "message" | "acts">) {
  return (
    <span class="chat-tools">
      {!isLine(message) && (
        <button
          type="button"
          class="quiet"
          aria-label={`React to message ${message.id}`}
          onClick={({ currentTarget }) => acts.openReactions(message, currentTarget)}
        >
          ☺
        </button>
      )}
      <button
        type="button"
        class="quiet"
        aria-label={`More for message ${message.id}`}
        onClick={({ currentTarget }) => acts.openMenu(message, currentTarget)}
      >
        ⋯
      </button>
    </span>
  );
}

function Marks({ message, acts }: Pick<RowProps, "message" | "acts">) {
  const reactions = shownReactions(message);
  const { replyCount = 0 } = message;
  const { openThread } = acts;
  if (reactions.length === 0 && (replyCount === 0 || openThread === undefined)) return null;
  return (
    <p class="row pills chat-marks">
      {reactions.map(({ reaction, count, isMine }) => (
        <button
          key={reaction}
          type="button"
          aria-pressed={isMine}
          aria-label={`${reaction}, ${count}`}
          onClick={() => acts.react(message, reaction, isMine)}
        >
          {reaction.slice(0, 20)} <span class="number">{count}</span>
        </button>
      ))}
      {replyCount > 0 && openThread !== undefined && (
        <button type="button" onClick={() => openThread(message)}>
          {counted(replyCount, "reply", "replies")}
        </button>
      )}
    </p>
  );
}

const tones: Readonly<Record<string, "good" | "bad" | "waiting">> = {
  approved: "good",
  disapproved: "bad",
  pending: "waiting",
};
