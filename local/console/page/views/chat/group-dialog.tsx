import { useState } from "preact/hooks";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Avatar } from "./avatar.tsx";
import { chatPath, clientPath } from "./chat-api.ts";
import type { Answer, Seat, User } from "./chat-types.ts";
import { Trouble } from "./trouble.tsx";

interface Member extends User {
  readonly scope: string;
}

const shownMembers = 100;

interface GroupProps {
  seat: Seat;
  guid: string;
  name: string;
  onClose: () => void;
}

type Attempt = (act: () => Promise<unknown>) => Promise<void>;

export function GroupDialog({ seat, guid, name, onClose }: GroupProps) {
  const path = chatPath(seat.appId, ["groups", guid, "members"], { perPage: shownMembers });
  const { value, error: listError } = useResource<Answer<readonly Member[]>>(path, ["chat"]);
  const [error, setError] = useState<unknown>();
  const members = value?.data ?? [];
  const attempt: Attempt = async (act) => {
    setError(undefined);
    await act().catch(setError);
  };
  const leave = async () => {
    await ask(clientPath(seat.appId, ["groups", guid, "leave"]), {
      method: "POST",
      body: { uid: seat.uid },
    });
    onClose();
  };
  return (
    <Dialog title={name} onClose={onClose}>
      {listError !== undefined && (
        <p class="trouble" role="alert">
          {listError}
        </p>
      )}
      <MemberList seat={seat} guid={guid} members={members} attempt={attempt} />
      {members.length === shownMembers && (
        <p class="soft">{`The first ${shownMembers} members are shown.`}</p>
      )}
      <AddForm seat={seat} guid={guid} attempt={attempt} />
      <Trouble error={error} />
      <div class="buttons">
        <Button kind="danger" act={() => attempt(leave)}>
          {`Leave as ${seat.uid}`}
        </Button>
      </div>
    </Dialog>
  );
}

function MemberList({
  seat,
  guid,
  members,
  attempt,
}: {
  seat: Seat;
  guid: string;
  members: readonly Member[];
  attempt: Attempt;
}) {
  const remove = (uid: string) =>
    ask(chatPath(seat.appId, ["groups", guid, "members", uid]), {
      method: "DELETE",
      onBehalfOf: seat.uid,
    });
  return (
    <ul class="lines" aria-label="Members">
      {members.map((member) => (
        <li key={member.uid}>
          <Avatar id={member.uid} name={member.name} isOnline={member.status === "available"} />
          <span>
            {member.name} <span class="soft">{`${member.uid} · ${member.scope}`}</span>
          </span>
          {member.uid !== seat.uid && (
            <Button
              kind="quiet"
              label={`Remove ${member.name}`}
              act={() => attempt(() => remove(member.uid))}
            >
              Remove
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

function AddForm({ seat, guid, attempt }: { seat: Seat; guid: string; attempt: Attempt }) {
  const [added, setAdded] = useState("");
  const add = async () => {
    const participants = added.split(/[\s,]+/).filter((uid) => uid !== "");
    const { data } = await ask<Answer<AddResults>>(chatPath(seat.appId, ["groups", guid, "members"]), {
      method: "POST",
      body: { participants },
      onBehalfOf: seat.uid,
    });
    const refused = Object.entries(data.participants ?? {}).find(([, { success }]) => !success);
    if (refused !== undefined) {
      throw new Error(`${refused[0]}: ${refused[1].error?.message ?? "was not added."}`);
    }
    setAdded("");
  };
  return (
    <form
      class="line"
      onSubmit={(event) => {
        event.preventDefault();
        if (added.trim() !== "") void attempt(add);
      }}
    >
      <TextField
        label="Add members"
        value={added}
        onInput={setAdded}
        hint="UIDs, separated by spaces or commas."
      />
      <button type="submit">Add</button>
    </form>
  );
}

interface AddResults {
  readonly participants?: Readonly<Record<string, { success: boolean; error?: { message?: string } }>>;
}
