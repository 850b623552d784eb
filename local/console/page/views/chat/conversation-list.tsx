import { useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Avatar } from "./avatar.tsx";
import { chatPath } from "./chat-api.ts";
import { Moment } from "./chat-time.tsx";
import type { Answer, Conversation, Message, Seat } from "./chat-types.ts";
import { isLine, sayMessage, senderName } from "./message-words.ts";

const step = 50;
/** The platform's largest page; the search finds more. */
const most = 200;

interface ConversationListProps {
  seat: Seat;
  chosen: string | undefined;
  onChoose: (conversationId: string) => void;
  onNew: () => void;
}

export function ConversationList({ seat, chosen, onChoose, onNew }: ConversationListProps) {
  const [searched, setSearched] = useState("");
  const [shown, setShown] = useState(step);
  const path = chatPath(seat.appId, ["conversations"], { searchKey: searched, perPage: shown });
  const { value, error, isLoading } = useResource<Answer<readonly Conversation[]>>(path, ["chat"], {
    onBehalfOf: seat.uid,
  });
  const conversations = value?.data ?? [];
  return (
    <section class="list scroll chat-list" aria-label={`Conversations of ${seat.uid}`}>
      <div class="chat-list-head">
        <input
          type="search"
          aria-label="Search conversations"
          placeholder="Search"
          aria-keyshortcuts="/"
          data-search
          value={searched}
          onInput={({ currentTarget }) => setSearched(currentTarget.value)}
        />
        <Button act={onNew}>New</Button>
      </div>
      {error !== undefined && (
        <p class="trouble" role="alert">
          {error}
        </p>
      )}
      <ul>
        {conversations.map((conversation) => (
          <Row
            key={conversation.conversationId}
            conversation={conversation}
            uid={seat.uid}
            isChosen={conversation.conversationId === chosen}
            onChoose={onChoose}
          />
        ))}
      </ul>
      {conversations.length === shown && shown < most && (
        <Button kind="quiet" act={() => setShown(shown + step)}>
          Show more
        </Button>
      )}
      {conversations.length === 0 && !isLoading && error === undefined && (
        <Empty title={searched === "" ? "No conversations yet" : "Nothing found"}>
          {searched === "" ? "Start one with “New”." : "The search covers names and ids."}
        </Empty>
      )}
    </section>
  );
}

function Row({
  conversation,
  uid,
  isChosen,
  onChoose,
}: {
  conversation: Conversation;
  uid: string;
  isChosen: boolean;
  onChoose: (conversationId: string) => void;
}) {
  const { conversationId, conversationType, conversationWith: peer, lastMessage, updatedAt } = conversation;
  const id = peer.uid ?? peer.guid ?? conversationId;
  const name = peer.name ?? id;
  const unread = Number(conversation.unreadMessageCount);
  return (
    <li>
      <button
        type="button"
        class="entry chat-conversation"
        aria-current={isChosen ? "true" : undefined}
        onClick={() => onChoose(conversationId)}
      >
        <Avatar id={id} name={name} isOnline={conversationType === "user" && peer.status === "available"} />
        <span class="clip chat-name">
          {name}
          {conversationType === "group" && <span class="soft small chat-id"> · group</span>}
        </span>
        <Moment seconds={lastMessage?.sentAt ?? updatedAt} />
        <span class="soft small clip chat-snippet">
          {lastMessage !== undefined && (
            <>
              {writerOf(lastMessage, uid)}
              <bdi>{sayMessage(lastMessage).slice(0, 120)}</bdi>
            </>
          )}
        </span>
        {unread > 0 && (
          <span class="badge chat-unread">
            {unread > 999 ? "999+" : unread}
            <span class="visually-hidden"> unread</span>
          </span>
        )}
      </button>
    </li>
  );
}

function writerOf(message: Message, uid: string) {
  if (isLine(message)) return undefined;
  if (message.sender === uid) return "You: ";
  if (message.receiverType === "user") return undefined;
  return (
    <>
      <bdi>{senderName(message)}</bdi>:{" "}
    </>
  );
}
