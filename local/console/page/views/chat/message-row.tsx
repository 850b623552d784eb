import { useMemo } from "preact/hooks";
import type { MessageMark } from "../../../api/journeys.ts";
import { Badge } from "../../parts/badge.tsx";
import { toHash } from "../../parts/route.ts";
import { Avatar } from "./avatar.tsx";
import { Clock } from "./chat-time.tsx";
import type { Message } from "./chat-types.ts";
import { MessageBody } from "./message-body.tsx";
import { isLine, moderationOf, sayMessage, senderName, shownReactions } from "./message-words.ts";

/** The functions are stable between renderings. */
export interface RowActs {
  react(message: Message, reaction: string, isMine: boolean): void;
  openReactions(message: Message, anchor: HTMLElement): void;
  openMenu(message: Message, anchor: HTMLElement): void;
  openThread: ((message: Message) => void) | undefined;
}

/** Renders again only if the message has changed. */
export function MessageRow({
  message,
  uid,
  isFollowing,
  isTarget,
  mark,
  acts,
}: {
  message: Message;
  uid: string;
  isFollowing: boolean;
  isTarget: boolean;
  mark: MessageMark | undefined;
  acts: RowActs;
}) {
  return useMemo(() => {
    if (isLine(message)) return <LineRow message={message} isTarget={isTarget} acts={acts} />;
    const isMine = message.sender === uid;
    const name = senderName(message);
    const classes = [
      "chat-message",
      isMine && "is-mine",
      isFollowing && "is-following",
      isTarget && "is-target",
    ];
    return (
      <li class={classes.filter(Boolean).join(" ")} data-message={message.id}>
        {!isMine && !isFollowing && <Avatar id={message.sender} name={name} />}
        <article class="chat-bubble" aria-label={`${name}, message ${message.id}`}>
          {!isFollowing && <p class="small chat-name">{isMine ? `${name} (you)` : name}</p>}
          {message.quotedMessage !== undefined && (
            <blockquote class="chat-quote">
              <strong>{senderName(message.quotedMessage)}</strong>{" "}
              {sayMessage(message.quotedMessage).slice(0, 200)}
            </blockquote>
          )}
          <MessageBody message={message} />
          <Foot message={message} isMine={isMine} mark={mark} />
        </article>
        {message.deletedAt === undefined && <Tools message={message} acts={acts} />}
        <Marks message={message} acts={acts} />
      </li>
    );
  }, [message, uid, isFollowing, isTarget, mark, acts]);
}

function LineRow({ message, isTarget, acts }: { message: Message; isTarget: boolean; acts: RowActs }) {
  return (
    <li class={`chat-line ${isTarget ? "is-target" : ""}`} data-message={message.id}>
      <span>{sayMessage(message)}</span>
      <Clock seconds={message.sentAt} />
      <Tools message={message} acts={acts} />
    </li>
  );
}

interface FootProps {
  message: Message;
  isMine: boolean;
  mark: MessageMark | undefined;
}

function Foot({ message, isMine, mark }: FootProps) {
  const moderation = moderationOf(message);
  return (
    <p class="row soft chat-foot">
      {moderation !== undefined && (
        <Badge tone={tones[moderation.status] ?? "plain"}>{moderation.status}</Badge>
      )}
      {moderation?.rule !== undefined && <span>by rule {moderation.rule}</span>}
      {message.editedAt !== undefined && message.deletedAt === undefined && <span>edited</span>}
      <Clock seconds={message.sentAt} />
      {isMine && message.receiverType === "user" && <Receipt message={message} />}
      {mark !== undefined && <Mark mark={mark} />}
    </p>
  );
}

function Mark({ mark }: { mark: MessageMark }) {
  const { id, verdict, title, why } = mark;
  return (
    <a class={`chat-mark is-${verdict}`} href={toHash("journeys", [id])} title={why}>
      <span class="visually-hidden">Journey: </span>
      {title}
      {verdict === "failed" && <span class="chat-mark-why">{why}</span>}
    </a>
  );
}

// Reported for one-to-one messages only (docs/internals/platform/messages.md#shape-of-a-message).
function Receipt({ message: { deliveredAt, readAt } }: { message: Message }) {
  if (readAt !== undefined) {
    return (
      <span>
        read <Clock seconds={readAt} />
      </span>
    );
  }
  if (deliveredAt === undefined) return <span>sent</span>;
  return (
    <span>
      delivered <Clock seconds={deliveredAt} />
    </span>
  );
}

function Tools({ message, acts }: { message: Message; acts: RowActs }) {
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

function Marks({ message, acts }: { message: Message; acts: RowActs }) {
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
          {replyCount === 1 ? "1 reply" : `${replyCount} replies`}
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

export function journeyOf(message: Message): string {
  return toHash("journeys", [], { message: message.id });
}
