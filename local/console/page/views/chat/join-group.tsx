import { useState } from "preact/hooks";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { chatPath, clientPath } from "./chat-api.ts";
import type { Answer, Group, Seat } from "./chat-types.ts";
import { Trouble } from "./trouble.tsx";

export function JoinGroup({ seat, guid, onJoined }: { seat: Seat; guid: string; onJoined: () => void }) {
  const path = chatPath(seat.appId, ["groups", guid]);
  const group = useResource<Answer<Group>>(path, ["chat"], { onBehalfOf: seat.uid }).value?.data;
  const [password, setPassword] = useState("");
  const [error, setError] = useState<unknown>();
  const join = async () => {
    try {
      await ask(clientPath(seat.appId, ["groups", guid, "join"]), {
        method: "POST",
        body: { uid: seat.uid, ...(password !== "" && { password }) },
      });
      onJoined();
    } catch (failed) {
      setError(failed);
    }
  };
  return (
    <div class="empty">
      <p class="empty-title">{`${seat.uid} is not a member of ${group?.name ?? guid}`}</p>
      <p class="soft">Join to see its messages.</p>
      {group?.type === "password" && (
        <TextField label="Password of the group" type="password" value={password} onInput={setPassword} />
      )}
      {group?.type === "private" && <p class="soft">Only its admins can add members.</p>}
      <Trouble error={error} />
      <Button kind="main" act={join}>
        Join
      </Button>
    </div>
  );
}
