import { send } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { type Answer, callPath, clientPath, type PhoneCall, type Seat } from "./chat-api.ts";

export function CallBar({ seat }: { seat: Seat }) {
  const { appId, uid } = seat;
  const calls = [...useCalls(seat, "initiated"), ...useCalls(seat, "ongoing")];
  if (calls.length === 0) return null;
  return (
    <ul class="chat-calls" aria-label={`Calls of ${uid}`}>
      {calls.map((call) => (
        <li key={call.sessionId} class={call.status === "initiated" ? "bar is-waiting" : "bar"}>
          <span role="status">{sayCall(call, uid)}</span>
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

/** @throws AskError */
export async function startCall(
  { appId, uid }: Seat,
  call: Pick<PhoneCall, "receiver" | "receiverType" | "type">,
): Promise<void> {
  await send("POST", clientPath(appId, ["calls"]), { caller: uid, ...call });
}

function useCalls({ appId, uid }: Seat, status: string): readonly PhoneCall[] {
  const path = callPath(appId, ["calls"], { status, perPage: 5 });
  const { value } = useResource<Answer<readonly PhoneCall[]>>(path, ["chat"], { onBehalfOf: uid });
  return value?.data.filter(({ mode }) => mode === "call") ?? [];
}

function sayCall(call: PhoneCall, uid: string): string {
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
