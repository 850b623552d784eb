import { useState } from "preact/hooks";
import { send } from "../../parts/ask.ts";
import { Button, CloseButton, notifyDone } from "../../parts/button.tsx";
import { DialogButton, Form } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { counted, formatTime, Icon, Trouble } from "../../parts/texts.tsx";
import {
  clientPath,
  fetchMessages,
  type Group,
  type Message,
  type Peer,
  peerOf,
  type Seat,
  type User,
  useChat,
} from "./chat-api.ts";
import type { PaneState } from "./chat-route.ts";
import { Members } from "./group.tsx";
import { describeMessage, senderName } from "./message-words.ts";
import { ChatHead } from "./people.tsx";
import { Talk } from "./talk.tsx";

const receiptsKey = "chat-receipts";

interface ConversationProps {
  readonly seat: Seat;
  readonly peer: Peer;
  readonly conversationId: string;
  readonly state: PaneState;
  readonly onChange: (state: PaneState) => void;
}

type KnownPeer = Partial<User & Group>;

export function ConversationPane(props: ConversationProps) {
  const { seat, peer, conversationId, state, onChange } = props;
  const { uid } = seat;
  const { message: target, isOffered = false } = state;
  const [sendsReceipts, setSendsReceipts] = useState(localStorage.getItem(receiptsKey) !== "off");
  const turnReceipts = () => {
    localStorage.setItem(receiptsKey, sendsReceipts ? "off" : "on");
    setSendsReceipts(!sendsReceipts);
  };
  const { data: known = {} } = useChat<KnownPeer>(seat, [peer.type === "user" ? "users" : "groups", peer.id]);
  // A reply is shown only in its thread.
  const aimed = useChat<Message>(seat, target ? ["messages", target] : undefined, []);
  const parentId = aimed.data?.parentId;
  const thread = state.thread ?? parentId;
  const shared = { seat, peer, conversationId, sendsReceipts: sendsReceipts && !isOffered };
  const show = (change: PaneState) => onChange({ uid, conversationId, ...change });
  return (
    <div class={`split chat-open ${thread === undefined ? "" : "has-thread"}`}>
      <div class="column chat-main">
        <PaneHead {...props} known={known} sendsReceipts={sendsReceipts} turnReceipts={turnReceipts} />
        {aimed.error && <Trouble error={`Message ${target}: ${aimed.error}`} />}
        <Talk
          {...shared}
          target={parentId ?? target}
          label={known.name ?? peer.id}
          onThread={({ id }) => show({ thread: id })}
        />
      </div>
      {thread && (
        <aside class="column chat-thread" aria-label={`Thread of message ${thread}`}>
          <header class="bar chat-head">
            <h3 class="clip">
              Thread <span class="soft small chat-id">of message {thread}</span>
            </h3>
            <span class="buttons">
              <CloseButton label="Close the thread" act={() => show({})} />
            </span>
          </header>
          <Parent seat={seat} id={thread} />
          <Talk
            key={thread}
            {...shared}
            parentId={thread}
            target={thread === parentId ? target : undefined}
            label={`Thread of message ${thread}`}
            onThread={undefined}
          />
        </aside>
      )}
    </div>
  );
}

interface PaneHeadProps extends ConversationProps {
  readonly known: KnownPeer;
  readonly sendsReceipts: boolean;
  readonly turnReceipts: () => void;
}

function PaneHead(props: PaneHeadProps) {
  const { seat, peer, conversationId, onChange, known, sendsReceipts, turnReceipts } = props;
  const { uid } = seat;
  const name = known.name ?? peer.id;
  const call = (type: "audio" | "video") => () => {
    const body = { caller: uid, receiver: peer.id, receiverType: peer.type, type };
    return send("POST", clientPath(seat.appId, ["calls"]), body);
  };
  return (
    <ChatHead
      level="h3"
      id={peer.id}
      name={name}
      isOnline={known.status === "available"}
      description={describePeer(peer, known)}
      before={
        <span class="chat-back">
          <Button kind="quiet" label="Back to the conversations" act={() => onChange({ uid })}>
            ‹
          </Button>
        </span>
      }
    >
      {known.hasJoined === true && (
        <DialogButton kind="quiet" label="Members" title={name}>
          {(close) => <Members seat={seat} guid={peer.id} onLeft={close} />}
        </DialogButton>
      )}
      <DateJump
        seat={seat}
        conversationId={conversationId}
        onMessage={(message) => onChange({ uid, conversationId, message })}
      />
      <Button kind="quiet" label={`Voice call to ${name}`} act={call("audio")}>
        <Icon path="M5 3h2.5l1.2 3.4-1.6 1.3a9 9 0 0 0 5.2 5.2l1.3-1.6L17 12.5V15a2 2 0 0 1-2.2 2A12.5 12.5 0 0 1 3 5.2 2 2 0 0 1 5 3Z" />
      </Button>
      <Button kind="quiet" label={`Video call to ${name}`} act={call("video")}>
        <Icon path="M2.5 5.5h9.5v9H2.5zM12 9l5.5-3v8L12 11z" />
      </Button>
      <Button kind="quiet" label="Mark visible messages as read" act={turnReceipts} isPressed={sendsReceipts}>
        ✓✓
      </Button>
    </ChatHead>
  );
}

function Parent({ seat, id }: { seat: Seat; id: string }) {
  const { data, error } = useChat<Message>(seat, ["messages", id]);
  if (data === undefined) return <Trouble error={error} />;
  return (
    <blockquote class="chat-quote chat-parent">
      <strong>{senderName(data)}</strong> {describeMessage(data).slice(0, 500)}
    </blockquote>
  );
}

function describePeer({ type, id }: Peer, known: KnownPeer) {
  if (type === "user") return known.status === "available" ? `${id} · online` : id;
  const members = known.membersCount === undefined ? "" : ` · ${counted(known.membersCount, "member")}`;
  return `${known.type ?? ""} group${members}`.trim();
}

interface DateJumpProps {
  readonly seat: Seat;
  readonly conversationId: string;
  readonly onMessage: (id: string | undefined) => void;
}

function DateJump({ seat, conversationId, onMessage }: DateJumpProps) {
  return (
    <DialogButton
      kind="quiet"
      label={<Icon path="M3 5h14v12H3zM3 9h14M7 2.5V6M13 2.5V6" />}
      ariaLabel="Go to a date"
      title="Go to a date"
    >
      {(close) => {
        const goTo = async (ms: number) => {
          const id = await findFirstSince(seat, conversationId, ms);
          close();
          onMessage(id);
        };
        return (
          <Form
            label="Go"
            act={(get) => goTo(new Date(`${get("date")}T00:00`).getTime())}
            more={<Button act={() => goTo(0)}>The beginning</Button>}
          >
            <TextField type="date" label="Date" name="date" isRequired />
          </Form>
        );
      }}
    </DialogButton>
  );
}

/** Returns the first message's id; without one, notifies the user. */
export async function findFirstSince(
  seat: Seat,
  conversationId: string,
  sinceMs: number,
): Promise<string | undefined> {
  const peer = peerOf(seat.uid, conversationId);
  if (peer === undefined) return undefined;
  const span = { affix: "append", limit: 1, fromTimestamp: Math.floor(sinceMs / 1_000) } as const;
  const [first] = await fetchMessages(seat, { peer, conversationId }, span);
  if (first === undefined) notifyDone(`No message since ${formatTime(sinceMs, "day")}.`);
  return first?.id;
}
