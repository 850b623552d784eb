import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { send } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Form, type ValueOf } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { counted, Empty, Trouble } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { type Answer, chatPath, type Group, type Peer, type Seat, type User } from "./chat-api.ts";

interface AvatarProps {
  readonly id: string;
  readonly name: string;
  readonly isOnline?: boolean;
}

export function Avatar({ id, name, isOnline = false }: AvatarProps) {
  const words = name.trim().split(/\s+/);
  const initials = (words.length > 1 ? [words[0], words.at(-1)] : words).map((word = "") => [...word][0]);
  return (
    <span class={`chat-avatar chat-hue-${hueOf(id)}`} aria-hidden="true">
      {initials.join("").toUpperCase()}
      {isOnline && <span class="chat-online" />}
    </span>
  );
}

function hueOf(id: string) {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return sum % 6;
}

interface ChatHeadProps extends AvatarProps {
  readonly level: "h2" | "h3";
  readonly description: ComponentChildren;
  readonly before?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function ChatHead({ level: Level, description, before, children, ...peer }: ChatHeadProps) {
  return (
    <header class="bar chat-head">
      {before}
      <Avatar {...peer} />
      <Level class="clip">
        {peer.name}
        <span class="soft small chat-id">{description}</span>
      </Level>
      <span class="buttons">{children}</span>
    </header>
  );
}

interface PeerButtonProps extends AvatarProps {
  readonly kind?: string | undefined;
  readonly isChosen?: boolean;
  readonly onChoose: () => void;
  readonly description: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function PeerButton({ kind, isChosen, onChoose, description, children, ...peer }: PeerButtonProps) {
  return (
    <li>
      <button
        type="button"
        class="entry chat-conversation"
        aria-current={isChosen ? "true" : undefined}
        onClick={onChoose}
      >
        <Avatar {...peer} />
        <span class="clip chat-name">
          {peer.name}
          {kind && <span class="soft small chat-id"> · {kind}</span>}
        </span>
        <span class="soft small clip chat-snippet">{description}</span>
        {children}
      </button>
    </li>
  );
}

interface PeerListProps<Row> {
  readonly label: string;
  readonly hasKey?: boolean;
  /** Returns the path of a search with a row limit. */
  readonly pathOf: (searched: string, limit: number) => string;
  readonly onBehalfOf?: string;
  readonly row: (row: Row) => ComponentChildren;
  readonly empty: (isSearch: boolean) => ComponentChildren;
  readonly children?: ComponentChildren;
}

const step = 50;
/** The platform's largest page; the search finds more. */
const most = 200;

export function PeerList<Row>({ label, hasKey, pathOf, row, empty, children, ...as }: PeerListProps<Row>) {
  const [searched, setSearched] = useState("");
  const [shown, setShown] = useState(step);
  const path = pathOf(searched, shown);
  const { value, error, isLoading } = useResource<Answer<readonly Row[]>>(path, ["chat"], as);
  const rows = value?.data ?? [];
  return (
    <>
      <div class="chat-list-head">
        <input
          type="search"
          aria-label={label}
          placeholder={label}
          {...(hasKey && { "aria-keyshortcuts": "/", "data-search": true })}
          value={searched}
          onInput={({ currentTarget }) => setSearched(currentTarget.value)}
        />
        {children}
      </div>
      <Trouble error={error} />
      <ul>{rows.map(row)}</ul>
      {rows.length === shown &&
        (shown < most ? (
          <Button kind="quiet" act={() => setShown(shown + step)}>
            Show more
          </Button>
        ) : (
          <p class="soft">Only {most} are listed. Search for the others.</p>
        ))}
      {rows.length === 0 && !isLoading && error === undefined && empty(searched !== "")}
    </>
  );
}

interface UserChooserProps {
  readonly appId: string;
  readonly except?: string;
  readonly onChoose: (uid: string) => void;
  readonly hasKey?: boolean;
}

export function UserChooser({ appId, except, onChoose, hasKey = false }: UserChooserProps) {
  const [isNew, setNew] = useState(false);
  if (isNew) return <NewUser appId={appId} onMade={onChoose} onCancel={() => setNew(false)} />;
  return (
    <div>
      <PeerList<User>
        label="Search users"
        hasKey={hasKey}
        pathOf={(searchKey, perPage) => chatPath(appId, ["users"], { searchKey, perPage })}
        row={({ uid, name, status }) =>
          uid !== except && (
            <PeerButton
              key={uid}
              id={uid}
              name={name}
              isOnline={status === "available"}
              description={status === "available" ? `${uid} · online` : uid}
              onChoose={() => onChoose(uid)}
            />
          )
        }
        empty={() => <Empty title="No user found">Create a user, or search for another name or UID.</Empty>}
      >
        <Button act={() => setNew(true)}>New user</Button>
      </PeerList>
    </div>
  );
}

interface NewUserProps {
  readonly appId: string;
  readonly onMade: (uid: string) => void;
  readonly onCancel: () => void;
}

function NewUser({ appId, onMade, onCancel }: NewUserProps) {
  return (
    <Form
      label="Create user"
      act={async (get) => {
        const uid = get("uid").trim();
        const body = { uid, name: get("name").trim() || uid };
        onMade((await send<Answer<User>>("POST", chatPath(appId, ["users"]), body)).data.uid);
      }}
      more={<Button act={onCancel}>Back</Button>}
    >
      <TextField label="UID" name="uid" hint="Letters, numbers, dashes and underscores." isRequired />
      <TextField label="Name" name="name" hint="Shown to other users. Default: the UID." />
    </Form>
  );
}

const kinds = [
  ["users", "A user"],
  ["groups", "A group"],
  ["new", "New group"],
] as const;

interface NewConversationProps {
  readonly seat: Seat;
  readonly onChoose: (peer: Peer) => void;
}

export function NewConversation({ seat, onChoose }: NewConversationProps) {
  const { appId, uid } = seat;
  const [kind, setKind] = useState<(typeof kinds)[number][0]>("users");
  const chooseUser = (id: string) => onChoose({ type: "user", id });
  const chooseGroup = (id: string) => onChoose({ type: "group", id });
  return (
    <>
      <fieldset class="buttons" aria-label="Start with">
        {kinds.map(([name, words]) => (
          <Button key={name} act={() => setKind(name)} isPressed={kind === name}>
            {words}
          </Button>
        ))}
      </fieldset>
      {kind === "users" && <UserChooser appId={appId} except={uid} onChoose={chooseUser} />}
      {kind === "groups" && (
        <PeerList<Group>
          label="Search groups"
          pathOf={(searchKey, perPage) => chatPath(appId, ["groups"], { searchKey, perPage })}
          onBehalfOf={uid}
          row={({ guid, name, type, membersCount = 0, hasJoined }) => (
            <PeerButton
              key={guid}
              id={guid}
              name={name}
              description={`${type} · ${counted(membersCount, "member")} · ${hasJoined ? "joined" : "not joined"}`}
              onChoose={() => chooseGroup(guid)}
            />
          )}
          empty={() => (
            <Empty title="No groups">{`${uid} cannot see a group with this name. Create one with “New group”.`}</Empty>
          )}
        />
      )}
      {kind === "new" && <NewGroup seat={seat} onMade={chooseGroup} />}
    </>
  );
}

const groupTypes = [
  ["public", "everybody"],
  ["password", "anyone with the password"],
  ["private", "only users who are added"],
] as const;

function NewGroup({ seat, onMade }: { readonly seat: Seat; readonly onMade: (guid: string) => void }) {
  const [type, setType] = useState("public");
  const make = async (get: ValueOf) => {
    const guid = get("guid").trim();
    const participants = get("members")
      .split(/[\s,]+/)
      .filter(Boolean);
    const body = {
      guid,
      name: get("name").trim() || guid,
      type,
      password: get("password") || undefined,
      ...(participants.length > 0 && { members: { participants } }),
    };
    const path = chatPath(seat.appId, ["groups"]);
    onMade((await send<Answer<Group>>("POST", path, body, seat.uid)).data.guid);
  };
  return (
    <Form label="Create group" act={make}>
      <TextField label="GUID" name="guid" isRequired />
      <TextField label="Name" name="name" hint="Default: the GUID." />
      <SelectField label="Who may join" value={type} onInput={setType} options={groupTypes} />
      {type === "password" && <TextField label="Password" type="password" name="password" isRequired />}
      <TextField label="Members" name="members" hint="UIDs, separated by spaces or commas." />
    </Form>
  );
}
