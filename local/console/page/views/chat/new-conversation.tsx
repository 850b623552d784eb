import { useState } from "preact/hooks";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty } from "../../parts/empty.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Avatar } from "./avatar.tsx";
import { chatPath } from "./chat-api.ts";
import type { Answer, Group, Peer, Seat } from "./chat-types.ts";
import { Trouble } from "./trouble.tsx";
import { UserChooser } from "./user-chooser.tsx";

const kinds = [
  ["users", "A user"],
  ["groups", "A group"],
  ["new", "New group"],
] as const;

export function NewConversation({
  seat,
  onChoose,
  onClose,
}: {
  seat: Seat;
  onChoose: (peer: Peer) => void;
  onClose: () => void;
}) {
  const [kind, setKind] = useState<(typeof kinds)[number][0]>("users");
  return (
    <Dialog title="New conversation" onClose={onClose}>
      <fieldset class="buttons" aria-label="Start with">
        {kinds.map(([name, words]) => (
          <Button key={name} act={() => setKind(name)} isPressed={kind === name}>
            {words}
          </Button>
        ))}
      </fieldset>
      {kind === "users" && (
        <UserChooser appId={seat.appId} except={seat.uid} onChoose={(id) => onChoose({ type: "user", id })} />
      )}
      {kind === "groups" && <GroupChooser seat={seat} onChoose={(id) => onChoose({ type: "group", id })} />}
      {kind === "new" && <NewGroup seat={seat} onMade={(id) => onChoose({ type: "group", id })} />}
    </Dialog>
  );
}

function GroupChooser({ seat, onChoose }: { seat: Seat; onChoose: (guid: string) => void }) {
  const [searched, setSearched] = useState("");
  const path = chatPath(seat.appId, ["groups"], { searchKey: searched, perPage: 50 });
  const { value, error, isLoading } = useResource<Answer<readonly Group[]>>(path, ["chat"], {
    onBehalfOf: seat.uid,
  });
  const groups = value?.data ?? [];
  return (
    <div class="stack">
      <input
        type="search"
        aria-label="Search groups"
        placeholder="Search groups"
        value={searched}
        onInput={({ currentTarget }) => setSearched(currentTarget.value)}
      />
      {error !== undefined && (
        <p class="trouble" role="alert">
          {error}
        </p>
      )}
      <ul>
        {groups.map(({ guid, name, type, membersCount, hasJoined }) => (
          <li key={guid}>
            <button type="button" class="entry chat-conversation" onClick={() => onChoose(guid)}>
              <Avatar id={guid} name={name} />
              <span class="clip chat-name">{name}</span>
              <span class="soft small clip chat-snippet">
                {`${type} · ${membersCount ?? 0} members · ${hasJoined === true ? "joined" : "not joined"}`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {groups.length === 0 && !isLoading && error === undefined && (
        <Empty title="No groups">{`${seat.uid} cannot see a group with this name. Create one with “New group”.`}</Empty>
      )}
    </div>
  );
}

function NewGroup({ seat, onMade }: { seat: Seat; onMade: (guid: string) => void }) {
  const [guid, setGuid] = useState("");
  const [name, setName] = useState("");
  const [type, setType] = useState("public");
  const [password, setPassword] = useState("");
  const [members, setMembers] = useState("");
  const [error, setError] = useState<unknown>();
  const make = async () => {
    const participants = members.split(/[\s,]+/).filter((uid) => uid !== "");
    try {
      const { data } = await ask<Answer<Group>>(chatPath(seat.appId, ["groups"]), {
        method: "POST",
        onBehalfOf: seat.uid,
        body: {
          guid: guid.trim(),
          name: name.trim() || guid.trim(),
          type,
          ...(type === "password" && { password }),
          ...(participants.length > 0 && { members: { participants } }),
        },
      });
      onMade(data.guid);
    } catch (failed) {
      setError(failed);
    }
  };
  return (
    <form
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <TextField label="GUID" value={guid} onInput={setGuid} isRequired />
      <TextField label="Name" value={name} onInput={setName} hint="Default: the GUID." />
      <SelectField label="Who may join" value={type} onInput={setType} options={groupTypes} />
      {type === "password" && (
        <TextField label="Password" type="password" value={password} onInput={setPassword} isRequired />
      )}
      <TextField
        label="Members"
        value={members}
        onInput={setMembers}
        hint="UIDs, separated by spaces or commas."
      />
      <Trouble error={error} />
      <div class="buttons">
        <button type="submit" class="main">
          Create group
        </button>
      </div>
    </form>
  );
}

const groupTypes = [
  ["public", "everybody"],
  ["password", "anyone with the password"],
  ["private", "only users who are added"],
] as const;
