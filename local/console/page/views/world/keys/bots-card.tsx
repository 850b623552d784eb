import { ask } from "../../../parts/ask.ts";
import { Badge } from "../../../parts/badge.tsx";
import type { Column } from "../../../parts/data-table.tsx";
import type { FormField } from "../../../parts/form-values.ts";
import { useResource } from "../../../parts/use-resource.ts";
import { ItemCard } from "../item-card.tsx";
import { toWorld } from "../to-world.ts";

interface Bot {
  readonly uid: string;
  readonly url?: string;
  readonly groupMessages: string;
}

const existing: readonly FormField[] = [
  {
    name: "url",
    label: "Address",
    isRequired: true,
    placeholder: "http://127.0.0.1:…",
    hint: "Receives the messages to the bot.",
  },
  {
    name: "groupMessages",
    label: "Receives from its groups",
    kind: "choice",
    options: [
      ["none", "nothing"],
      ["slashed", "messages that begin with /"],
      ["mentioned", "messages that mention it"],
      ["all", "everything"],
    ],
  },
  { name: "username", label: "User name", hint: "Only together with a password." },
  {
    name: "password",
    label: "Password",
    kind: "password",
    hint: "Never shown. Enter it again.",
  },
];

const fresh: readonly FormField[] = [
  { name: "uid", label: "UID", isRequired: true },
  { name: "name", label: "Name", hint: "The name of the bot's user." },
  ...existing,
];

const columns: readonly Column<Bot>[] = [
  {
    title: "Bot",
    cell: ({ uid }) => (
      <a class="world-name" href={toWorld(["users", uid])}>
        <bdi>{uid}</bdi>
      </a>
    ),
  },
  {
    title: "Address",
    cell: ({ url }) => (url === undefined ? <span class="soft">receives nothing</span> : <code>{url}</code>),
  },
  { title: "In groups", cell: ({ groupMessages }) => <Badge>{groupMessages}</Badge>, isMinor: true },
];

export function BotsCard({ appId }: { appId: string }) {
  const path = `/api/platform/apps/${appId}/bots`;
  return (
    <ItemCard
      title="Bots"
      word="bot"
      says="Users with a webhook of their own; enabled when made here."
      resource={useResource<{ data: readonly Bot[] }>(path, ["world"])}
      columns={columns}
      idOf={({ uid }) => uid}
      fields={{ fresh, existing }}
      save={({ uid, ...body }, bot) =>
        ask(`${path}/${encodeURIComponent(bot?.uid ?? String(uid))}`, { method: "PUT", body })
      }
      remove={({ uid }) => ask(`${path}/${encodeURIComponent(uid)}`, { method: "DELETE" })}
      lost="Its address receives no more messages. Its user stays."
      none="No user of this app is a bot."
    />
  );
}
