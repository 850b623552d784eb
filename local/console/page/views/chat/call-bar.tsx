import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { callPath, clientPath } from "./chat-api.ts";
import type { Answer, PhoneCall, Seat } from "./chat-types.ts";

export function CallBar({ seat }: { seat: Seat }) {
  const ringing = useCalls(seat, "initiated");
  const ongoing = useCalls(seat, "ongoing");
  const calls = [...ringing, ...ongoing].filter(({ mode }) => mode === "call");
  if (calls.length === 0) return null;
  return (
    <ul class="chat-calls" aria-label={`Calls of ${seat.uid}`}>
      {calls.map((call) => (
        <li key={call.sessionId} class={call.status === "initiated" ? "bar is-waiting" : "bar"}>
          <span role="status">{sayCall(call, seat.uid)}</span>
          <span class="buttons is-end">
            {actsOf(call, seat.uid).map(({ words, kind, path, body }) => (
              <Button
                key={path}
                kind={kind}
                act={() =>
                  ask(clientPath(seat.appId, ["calls", call.sessionId, path]), { method: "POST", body })
                }
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
  { receiver, receiverType, type }: Pick<PhoneCall, "receiver" | "receiverType" | "type">,
): Promise<void> {
  const body = { caller: uid, receiver, receiverType, type };
  await ask(clientPath(appId, ["calls"]), { method: "POST", body });
}

function useCalls({ appId, uid }: Seat, status: string): readonly PhoneCall[] {
  const path = callPath(appId, ["calls"], { status, perPage: 5 });
  return useResource<Answer<readonly PhoneCall[]>>(path, ["chat"], { onBehalfOf: uid }).value?.data ?? [];
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

interface CallAct {
  readonly words: string;
  readonly kind: "main" | "plain" | "danger" | "quiet";
  readonly path: string;
  readonly body: Readonly<Record<string, string>>;
}

function actsOf(call: PhoneCall, uid: string): readonly CallAct[] {
  const seat = { uid };
  const isIn = call.participants.some((one) => one.uid === uid && one.state === "ongoing");
  if (call.status === "initiated" && call.initiator === uid) {
    return [
      { words: "Cancel", kind: "danger", path: "cancel", body: seat },
      { words: "No answer", kind: "quiet", path: "unanswered", body: {} },
    ];
  }
  const accept: CallAct = { words: "Accept", kind: "main", path: "answer", body: seat };
  if (call.status === "initiated") {
    if (call.receiverType === "group") return [accept];
    return [
      accept,
      { words: "Reject", kind: "danger", path: "reject", body: seat },
      { words: "Busy", kind: "quiet", path: "busy", body: seat },
    ];
  }
  if (!isIn) return [{ words: "Join", kind: "main", path: "join", body: seat }];
  return [
    { words: "Leave", kind: "plain", path: "leave", body: seat },
    { words: "End for all", kind: "danger", path: "end", body: {} },
  ];
}
