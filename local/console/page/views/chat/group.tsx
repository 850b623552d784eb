import { useState } from "preact/hooks";
import { send } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog, Form } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Trouble } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { chatPath, clientPath } from "./chat-api.ts";
import type { Answer, Group, Seat, User } from "./chat-types.ts";
import { Avatar, toUids } from "./people.tsx";

const shownMembers = 100;

interface GroupProps {
  readonly seat: Seat;
  readonly guid: string;
}

interface GroupDialogProps extends GroupProps {
  readonly name: string;
  readonly onClose: () => void;
}

/** A group's members. */
export function GroupDialog({ seat, guid, name, onClose }: GroupDialogProps) {
  const { appId, uid } = seat;
  const path = chatPath(appId, ["groups", guid, "members"], { perPage: shownMembers });
  const { value, error } = useResource<Answer<readonly (User & { scope: string })[]>>(path, ["chat"]);
  const members = value?.data ?? [];
  const leave = () => send("POST", clientPath(appId, ["groups", guid, "leave"]), { uid }).then(onClose);
  const remove = (member: string) =>
    send("DELETE", chatPath(appId, ["groups", guid, "members", member]), undefined, uid);
  return (
    <Dialog title={name} onClose={onClose}>
      <Trouble error={error} />
      <ul class="lines" aria-label="Members">
        {members.map((member) => (
          <li key={member.uid}>
            <Avatar id={member.uid} name={member.name} isOnline={member.status === "available"} />
            <span>
              {member.name} <span class="soft">{`${member.uid} · ${member.scope}`}</span>
            </span>
            {member.uid !== uid && (
              <Button kind="quiet" label={`Remove ${member.name}`} act={() => remove(member.uid)}>
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      {members.length === shownMembers && <p class="soft">The first {shownMembers} members are shown.</p>}
      <AddForm seat={seat} guid={guid} />
      <div class="buttons">
        <Button kind="danger" act={leave}>
          Leave as {uid}
        </Button>
      </div>
    </Dialog>
  );
}

type Added = Readonly<Record<string, { success: boolean; error?: { message?: string } }>>;

function AddForm({ seat, guid }: GroupProps) {
  const [added, setAdded] = useState("");
  const add = async () => {
    const path = chatPath(seat.appId, ["groups", guid, "members"]);
    const body = { participants: toUids(added) };
    const { data } = await send<Answer<{ participants?: Added }>>("POST", path, body, seat.uid);
    const refused = Object.entries(data.participants ?? {}).find(([, { success }]) => !success);
    if (refused !== undefined)
      throw new Error(`${refused[0]}: ${refused[1].error?.message ?? "was not added."}`);
    setAdded("");
  };
  return (
    <Form isLine kind="plain" label="Add" act={add} isDisabled={added.trim() === ""}>
      <TextField
        label="Add members"
        value={added}
        onInput={setAdded}
        hint="UIDs, separated by spaces or commas."
      />
    </Form>
  );
}

export function JoinGroup({ seat, guid, onJoined }: GroupProps & { readonly onJoined: () => void }) {
  const { appId, uid } = seat;
  const path = chatPath(appId, ["groups", guid]);
  const group = useResource<Answer<Group>>(path, ["chat"], { onBehalfOf: uid }).value?.data;
  const [password, setPassword] = useState("");
  const join = () =>
    send("POST", clientPath(appId, ["groups", guid, "join"]), {
      uid,
      ...(password !== "" && { password }),
    }).then(onJoined);
  return (
    <div class="empty">
      <p class="empty-title">{`${uid} is not a member of ${group?.name ?? guid}`}</p>
      <p class="soft">Join to see its messages.</p>
      {group?.type === "private" && <p class="soft">Only its admins can add members.</p>}
      <Form label="Join" act={join}>
        {group?.type === "password" && (
          <TextField label="Password of the group" type="password" value={password} onInput={setPassword} />
        )}
      </Form>
    </div>
  );
}
