import { send } from "../../parts/ask.ts";
import { Button, CloseButton } from "../../parts/button.tsx";
import { DialogButton } from "../../parts/dialog.tsx";
import { Empty, Trouble } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import {
  type Answer,
  callPath,
  clientPath,
  type PhoneCall,
  peerOf,
  type Seat,
  type User,
  useChat,
} from "./chat-api.ts";
import type { PaneState } from "./chat-route.ts";
import { ConversationList } from "./conversation-list.tsx";
import { ConversationPane } from "./conversation-pane.tsx";
import { ChatHead, UserChooser } from "./people.tsx";

interface PaneProps {
  readonly appId: string;
  readonly state: PaneState;
  readonly label: string;
  readonly onChange: (state: PaneState) => void;
  readonly onClose: (() => void) | undefined;
  readonly onAdd: (() => void) | undefined;
}

export function ChatPane(props: PaneProps) {
  const { appId, state, label, onChange, onClose } = props;
  const { uid, conversationId } = state;
  if (uid === undefined) {
    return (
      <section
        class="column chat-pane is-choosing"
        aria-label={label}
        onKeyDown={({ key }) => key === "Escape" && onClose?.()}
      >
        <div class="chat-list-head is-apart">
          <h2>Choose a user to write as</h2>
          {onClose && <CloseButton label="Close this side" act={onClose} />}
        </div>
        <UserChooser appId={appId} onChoose={(chosen) => onChange({ uid: chosen })} hasKey />
      </section>
    );
  }
  const seat = { appId, uid };
  return (
    <section
      class={`column chat-pane ${conversationId === undefined ? "is-listing" : "is-talking"}`}
      aria-label={label}
    >
      <PaneHead {...props} uid={uid} />
      <CallBar seat={seat} />
      <div class="split chat-columns">
        <ConversationList
          key={`${appId} ${uid}`}
          seat={seat}
          chosen={conversationId}
          onChoose={(chosen) => onChange({ uid, conversationId: chosen })}
        />
        <OpenConversation {...props} uid={uid} />
      </div>
    </section>
  );
}

function OpenConversation({ appId, state, uid, onChange }: PaneProps & { uid: string }) {
  const { conversationId } = state;
  const peer = conversationId && peerOf(uid, conversationId);
  if (!conversationId || !peer) {
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
      key={`${appId} ${uid} ${conversationId} ${state.visit}`}
      seat={{ appId, uid }}
      peer={peer}
      conversationId={conversationId}
      state={state}
      onChange={onChange}
    />
  );
}

function PaneHead({ appId, uid, onChange, onClose, onAdd }: PaneProps & { readonly uid: string }) {
  const { data, error } = useChat<User>({ appId, uid }, ["users", uid]);
  const name = data?.name ?? uid;
  const isOnline = data?.status === "available";
  const turn = () =>
    send("POST", clientPath(appId, ["users", uid, isOnline ? "disconnect" : "connect"]), { deviceId: "web" });
  return (
    <>
      <Trouble error={error} />
      <ChatHead level="h2" id={uid} name={name} isOnline={isOnline} description={name !== uid && uid}>
        <Button kind="quiet" act={turn} isPressed={isOnline}>
          Online
        </Button>
        <DialogButton
          kind="quiet"
          ariaLabel="Switch user"
          title="Write as"
          label={
            <>
              Switch<span class="chat-wide"> user</span>
            </>
          }
        >
          {(close) => (
            <UserChooser
              appId={appId}
              onChoose={(chosen) => {
                close();
                onChange({ uid: chosen });
              }}
            />
          )}
        </DialogButton>
        {onAdd && (
          <Button kind="quiet" label="Second user" act={onAdd}>
            Second<span class="chat-wide"> user</span>
          </Button>
        )}
        {onClose && <CloseButton label={`Close the side of ${name}`} act={onClose} />}
      </ChatHead>
    </>
  );
}

function CallBar({ seat }: { seat: Seat }) {
  const { appId, uid } = seat;
  const calls = [...useCalls(seat, "initiated"), ...useCalls(seat, "ongoing")];
  if (calls.length === 0) return null;
  return (
    <ul class="chat-calls" aria-label={`Calls of ${uid}`}>
      {calls.map((call) => (
        <li key={call.sessionId} class={call.status === "initiated" ? "bar is-waiting" : "bar"}>
          <span role="status">{describeCall(call, uid)}</span>
          <span class="buttons is-end">
            {actsOf(call, uid).map(([words, kind, act]) => (
              <Button
                key={act}
                kind={kind}
                act={() => send("POST", clientPath(appId, ["calls", call.sessionId, act]), { uid })}
              >
                {words}
              </Button>
            ))}
          </span>
        </li>
      ))}
    </ul>
  );
}

function useCalls({ appId, uid }: Seat, status: string): readonly PhoneCall[] {
  const path = callPath(appId, ["calls"], { status, perPage: 5 });
  const { value } = useResource<Answer<readonly PhoneCall[]>>(path, ["chat"], { onBehalfOf: uid });
  return value?.data.filter(({ mode }) => mode === "call") ?? [];
}

function describeCall(call: PhoneCall, uid: string) {
  const kind = call.type === "video" ? "Video call" : "Voice call";
  const place = call.receiverType === "group" ? ` in group ${call.receiver}` : "";
  if (call.status === "ongoing") {
    const others = call.participants.filter((one) => one.uid !== uid && one.state === "ongoing");
    return `${kind} with ${others.map((one) => one.uid).join(", ") || "no answer yet"}${place}`;
  }
  if (call.initiator !== uid) return `${kind} from ${call.initiator}${place}`;
  return `${kind} to ${call.receiver}: ringing`;
}

type CallAct = readonly [words: string, kind: "main" | "plain" | "danger" | "quiet", act: string];

const accept: CallAct = ["Accept", "main", "answer"];
const acts = {
  calling: [
    ["Cancel", "danger", "cancel"],
    ["No answer", "quiet", "unanswered"],
  ],
  ringing: [accept, ["Reject", "danger", "reject"], ["Busy", "quiet", "busy"]],
  ringingGroup: [accept],
  outside: [["Join", "main", "join"]],
  talking: [
    ["Leave", "plain", "leave"],
    ["End for all", "danger", "end"],
  ],
} satisfies Readonly<Record<string, readonly CallAct[]>>;

function actsOf(call: PhoneCall, uid: string): readonly CallAct[] {
  if (call.status === "initiated") {
    if (call.initiator === uid) return acts.calling;
    return call.receiverType === "group" ? acts.ringingGroup : acts.ringing;
  }
  const isIn = call.participants.some((one) => one.uid === uid && one.state === "ongoing");
  return isIn ? acts.talking : acts.outside;
}
