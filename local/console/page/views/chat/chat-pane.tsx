import { useState } from "preact/hooks";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty } from "../../parts/empty.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Avatar } from "./avatar.tsx";
import { CallBar } from "./call-bar.tsx";
import { chatPath, clientPath } from "./chat-api.ts";
import type { PaneState } from "./chat-route.ts";
import type { Answer, Seat, User } from "./chat-types.ts";
import { conversationOf, peerOf } from "./conversation-id.ts";
import { ConversationList } from "./conversation-list.tsx";
import { ConversationPane } from "./conversation-pane.tsx";
import { NewConversation } from "./new-conversation.tsx";
import { UserChooser } from "./user-chooser.tsx";

interface PaneProps {
  appId: string;
  state: PaneState;
  label: string;
  onChange: (state: PaneState) => void;
  onClose: (() => void) | undefined;
  onAdd: (() => void) | undefined;
}

export function ChatPane(props: PaneProps) {
  const { uid } = props.state;
  return uid === undefined ? <Choosing {...props} /> : <UserPane {...props} uid={uid} />;
}

function Choosing({ appId, label, onChange, onClose }: PaneProps) {
  return (
    <section class="column chat-pane is-choosing" aria-label={label}>
      <div class="chat-list-head is-apart">
        <h2>Choose a user to write as</h2>
        {onClose !== undefined && (
          <Button kind="quiet" label="Close this side" act={onClose}>
            ×
          </Button>
        )}
      </div>
      <UserChooser appId={appId} onChoose={(chosen) => onChange({ uid: chosen })} isFirst />
    </section>
  );
}

function UserPane({ appId, state, uid, label, onChange, onClose, onAdd }: PaneProps & { uid: string }) {
  const [isSwitching, setSwitching] = useState(false);
  const [isNew, setNew] = useState(false);
  const seat = { appId, uid };
  const { conversationId } = state;
  return (
    <section
      class={`column chat-pane ${conversationId === undefined ? "is-listing" : "is-talking"}`}
      aria-label={label}
    >
      <PaneHead seat={seat} onSwitch={() => setSwitching(true)} onClose={onClose} onAdd={onAdd} />
      <CallBar seat={seat} />
      <div class="split chat-columns">
        <ConversationList
          key={`${appId} ${uid}`}
          seat={seat}
          chosen={conversationId}
          onChoose={(chosen) => onChange({ uid, conversationId: chosen })}
          onNew={() => setNew(true)}
        />
        <OpenConversation seat={seat} state={state} onChange={onChange} />
      </div>
      {isSwitching && (
        <Dialog title="Write as" onClose={() => setSwitching(false)}>
          <UserChooser
            appId={appId}
            onChoose={(chosen) => {
              setSwitching(false);
              onChange({ uid: chosen });
            }}
          />
        </Dialog>
      )}
      {isNew && (
        <NewConversation
          seat={seat}
          onClose={() => setNew(false)}
          onChoose={(chosen) => {
            setNew(false);
            onChange({ uid, conversationId: conversationOf(uid, chosen) });
          }}
        />
      )}
    </section>
  );
}

function OpenConversation({
  seat,
  state: { conversationId, thread, message, isOffered = false },
  onChange,
}: {
  seat: Seat;
  state: PaneState;
  onChange: (state: PaneState) => void;
}) {
  const { appId, uid } = seat;
  const peer = conversationId === undefined ? undefined : peerOf(uid, conversationId);
  if (conversationId === undefined || peer === undefined) {
    return (
      <div class="chat-nothing">
        {conversationId === undefined ? (
          <Empty title="No conversation is open">Choose one, or start a new one.</Empty>
        ) : (
          <Empty title={`Not a conversation of ${uid}`}>Choose another conversation, or another user.</Empty>
        )}
      </div>
    );
  }
  return (
    <ConversationPane
      key={`${appId} ${uid} ${conversationId}`}
      {...{ seat, peer, conversationId, thread }}
      target={message}
      isOffered={isOffered}
      onThread={(parentId) => onChange({ uid, conversationId, thread: parentId })}
      onBack={() => onChange({ uid })}
      onMessage={(id) => onChange({ uid, conversationId, message: id })}
    />
  );
}

function PaneHead({
  seat,
  onSwitch,
  onClose,
  onAdd,
}: {
  seat: Seat;
  onSwitch: () => void;
  onClose: (() => void) | undefined;
  onAdd: (() => void) | undefined;
}) {
  const { appId, uid } = seat;
  const { value, error } = useResource<Answer<User>>(chatPath(appId, ["users", uid]), ["chat"]);
  const name = value?.data.name ?? uid;
  const isOnline = value?.data.status === "available";
  const turn = () =>
    ask(clientPath(appId, ["users", uid, isOnline ? "disconnect" : "connect"]), {
      method: "POST",
      body: { deviceId: "web" },
    });
  return (
    <header class="bar chat-head">
      <Avatar id={uid} name={name} isOnline={isOnline} />
      <h2 class="clip">
        {name}
        {name !== uid && <span class="soft small chat-id">{uid}</span>}
      </h2>
      {error !== undefined && <span class="toned is-bad">{error}</span>}
      <span class="buttons">
        <Button kind="quiet" act={turn} isPressed={isOnline}>
          Online
        </Button>
        <Button kind="quiet" label="Switch user" act={onSwitch}>
          Switch<span class="chat-wide"> user</span>
        </Button>
        {onAdd !== undefined && (
          <Button kind="quiet" label="Second user" act={onAdd}>
            Second<span class="chat-wide"> user</span>
          </Button>
        )}
        {onClose !== undefined && (
          <Button kind="quiet" label={`Close the side of ${name}`} act={onClose}>
            ×
          </Button>
        )}
      </span>
    </header>
  );
}
