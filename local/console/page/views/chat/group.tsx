import { send } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Form, type ValueOf } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { toHash } from "../../parts/route.ts";
import { Trouble } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { type Answer, chatPath, clientPath, type Group, type Seat, type User, useChat } from "./chat-api.ts";
import { Avatar } from "./people.tsx";

const shownMembers = 100;

interface GroupProps {
  readonly seat: Seat;
  readonly guid: string;
}

export function Members({ seat, guid, onLeft }: GroupProps & { readonly onLeft: () => void }) {
  const { appId, uid } = seat;
  const path = chatPath(appId, ["groups", guid, "members"], { perPage: shownMembers });
  const { value, error } = useResource<Answer<readonly (User & { scope: string })[]>>(path, ["chat"]);
  const members = value?.data ?? [];
  const leave = () => send("POST", clientPath(appId, ["groups", guid, "leave"]), { uid }).then(onLeft);
  return (
    <>
      <Trouble error={error} />
      <ul class="lines" aria-label="Members">
        {members.map((member) => (
          <li key={member.uid}>
            <Avatar id={member.uid} name={member.name} isOnline={member.status === "available"} />
            <span>
              {member.name} <span class="soft">{`${member.uid} · ${member.scope}`}</span>
            </span>
          </li>
        ))}
      </ul>
      {members.length === shownMembers && <p class="soft">The first {shownMembers} members are shown.</p>}
      <div class="buttons">
        <a class="button" href={toHash("api", ["add-group-members"], { app: appId, guid, as: uid })}>
          Add members
        </a>
        <Button kind="danger" act={leave}>
          Leave as {uid}
        </Button>
      </div>
    </>
  );
}

export function JoinGroup({ seat, guid, onJoined }: GroupProps & { readonly onJoined: () => void }) {
  const { appId, uid } = seat;
  const group = useChat<Group>(seat, ["groups", guid]).data;
  const join = (get: ValueOf) => {
    const password = get("password") || undefined;
    return send("POST", clientPath(appId, ["groups", guid, "join"]), { uid, password }).then(onJoined);
  };
  return (
    <div class="empty">
      <p class="empty-title">{`${uid} is not a member of ${group?.name ?? guid}`}</p>
      <p class="soft">Join to see its messages.</p>
      {group?.type === "private" && <p class="soft">Only its admins can add members.</p>}
      <Form label="Join" act={join}>
        {group?.type === "password" && (
          <TextField label="Password of the group" type="password" name="password" />
        )}
      </Form>
    </div>
  );
}
