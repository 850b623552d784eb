import { DialogButton } from "../../parts/dialog.tsx";
import { useNow } from "../../parts/stack-clock.tsx";
import { Empty, isSameDay, Time } from "../../parts/texts.tsx";
import { type Conversation, chatPath, conversationOf, type Message, type Seat } from "./chat-api.ts";
import { describeMessage, isLine, senderName } from "./message-words.ts";
import { NewConversation, PeerButton, PeerList } from "./people.tsx";

interface ConversationListProps {
  readonly seat: Seat;
  readonly chosen: string | undefined;
  readonly onChoose: (conversationId: string) => void;
}

export function ConversationList({ seat, chosen, onChoose }: ConversationListProps) {
  const { appId, uid } = seat;
  const nowMs = useNow()();
  return (
    <section class="list scroll chat-list" aria-label={`Conversations of ${uid}`}>
      <PeerList<Conversation>
        label="Search conversations"
        hasKey
        pathOf={(searchKey, perPage) => chatPath(appId, ["conversations"], { searchKey, perPage })}
        onBehalfOf={uid}
        row={(conversation) => (
          <Row
            key={conversation.conversationId}
            conversation={conversation}
            uid={uid}
            nowMs={nowMs}
            isChosen={conversation.conversationId === chosen}
            onChoose={() => onChoose(conversation.conversationId)}
          />
        )}
        empty={(isSearch) =>
          isSearch ? (
            <Empty title="Nothing found">The search covers names and ids.</Empty>
          ) : (
            <Empty title="No conversations yet">Start one with “New”.</Empty>
          )
        }
      >
        <DialogButton label="New" title="New conversation">
          {(close) => (
            <NewConversation
              seat={seat}
              onChoose={(peer) => {
                close();
                onChoose(conversationOf(uid, peer));
              }}
            />
          )}
        </DialogButton>
      </PeerList>
    </section>
  );
}

interface RowProps {
  readonly conversation: Conversation;
  readonly uid: string;
  readonly nowMs: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Row({ conversation, uid, nowMs, isChosen, onChoose }: RowProps) {
  const { conversationId, conversationType, conversationWith: peer, lastMessage, updatedAt } = conversation;
  const id = peer.uid ?? peer.guid ?? conversationId;
  const unread = Number(conversation.unreadMessageCount);
  const ms = (lastMessage?.sentAt ?? updatedAt) * 1_000;
  return (
    <PeerButton
      id={id}
      name={peer.name ?? id}
      isOnline={conversationType === "user" && peer.status === "available"}
      kind={conversationType === "group" ? "group" : undefined}
      description={
        lastMessage && (
          <>
            {writerOf(lastMessage, uid)}
            <bdi>{describeMessage(lastMessage).slice(0, 120)}</bdi>
          </>
        )
      }
      isChosen={isChosen}
      onChoose={onChoose}
    >
      <span class="soft small chat-when">
        <Time ms={ms} format={isSameDay(ms, nowMs) ? "time" : "day"} />
      </span>
      {unread > 0 && (
        <span class="badge chat-unread">
          {unread > 999 ? "999+" : unread}
          <span class="visually-hidden"> unread</span>
        </span>
      )}
    </PeerButton>
  );
}

function writerOf(message: Message, uid: string) {
  if (isLine(message)) return undefined;
  if (message.sender === uid) return "You: ";
  return message.receiverType === "group" && <bdi>{senderName(message)}: </bdi>;
}
