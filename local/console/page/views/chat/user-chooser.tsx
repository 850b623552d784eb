import { useState } from "preact/hooks";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { TextField } from "../../parts/field.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Avatar } from "./avatar.tsx";
import { chatPath } from "./chat-api.ts";
import type { Answer, User } from "./chat-types.ts";
import { Trouble } from "./trouble.tsx";

const shownUsers = 50;

export function UserChooser({
  appId,
  except,
  onChoose,
  isFirst = false,
}: {
  appId: string;
  except?: string | undefined;
  onChoose: (uid: string) => void;
  isFirst?: boolean;
}) {
  const [searched, setSearched] = useState("");
  const [isNew, setNew] = useState(false);
  const path = chatPath(appId, ["users"], { searchKey: searched, perPage: shownUsers });
  const { value, error, isLoading } = useResource<Answer<readonly User[]>>(path, ["chat"]);
  const users = (value?.data ?? []).filter(({ uid }) => uid !== except);
  if (isNew) return <NewUser appId={appId} onMade={onChoose} onCancel={() => setNew(false)} />;
  return (
    <div>
      <div class="chat-list-head">
        <input
          type="search"
          aria-label="Search users"
          placeholder="Search users"
          {...(isFirst && { "data-search": true })}
          value={searched}
          onInput={({ currentTarget }) => setSearched(currentTarget.value)}
        />
        <Button act={() => setNew(true)}>New user</Button>
      </div>
      {error !== undefined && (
        <p class="trouble" role="alert">
          {error}
        </p>
      )}
      <ul>
        {users.map(({ uid, name, status }) => (
          <li key={uid}>
            <button type="button" class="entry chat-conversation" onClick={() => onChoose(uid)}>
              <Avatar id={uid} name={name} isOnline={status === "available"} />
              <span class="clip chat-name">{name}</span>
              <span class="soft small clip chat-snippet">
                {uid}
                {status === "available" && " · online"}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {users.length >= shownUsers - 1 && <p class="soft">Search to find more.</p>}
      {users.length === 0 && !isLoading && error === undefined && (
        <Empty title="No user found">Create a user, or search for another name or UID.</Empty>
      )}
    </div>
  );
}

function NewUser({
  appId,
  onMade,
  onCancel,
}: {
  appId: string;
  onMade: (uid: string) => void;
  onCancel: () => void;
}) {
  const [uid, setUid] = useState("");
  const [name, setName] = useState("");
  const [error, setError] = useState<unknown>();
  const make = async () => {
    try {
      const body = { uid: uid.trim(), name: name.trim() || uid.trim() };
      const { data } = await ask<Answer<User>>(chatPath(appId, ["users"]), { method: "POST", body });
      onMade(data.uid);
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
      <TextField
        label="UID"
        value={uid}
        onInput={setUid}
        hint="Letters, numbers, dashes and underscores."
        isRequired
      />
      <TextField label="Name" value={name} onInput={setName} hint="Shown to other users. Default: the UID." />
      <Trouble error={error} />
      <div class="buttons">
        <button type="submit" class="main">
          Create user
        </button>
        <Button act={onCancel}>Back</Button>
      </div>
    </form>
  );
}
