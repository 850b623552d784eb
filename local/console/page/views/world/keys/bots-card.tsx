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
    hint: "Hears what is written to the bot.",
  },
  {
    name: "groupMessages",
    label: "Hears in its groups",
    kind: "choice",
    options: [
      ["none", "nothing"],
      ["mentioned", "what mentions it"],
      ["all", "everything"],
    ],
  },
  { name: "username", label: "User name", hint: "With a password, or not at all." },
  {
    name: "password",
    label: "Password",
    kind: "password",
    hint: "Only written, never shown: write it anew.",
  },
];

const fresh: readonly FormField[] = [
  { name: "uid", label: "UID", isRequired: true },
  { name: "name", label: "Name", hint: "Of the user that is made with the bot." },
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
    cell: ({ url }) => (url === undefined ? <span class="soft">hears nothing</span> : <code>{url}</code>),
  },
  { title: "In groups", cell: ({ groupMessages }) => <Badge>{groupMessages}</Badge>, isMinor: true },
];

export function BotsCard({ appId }: { appId: string }) {
  const path = `/api/platform/apps/${appId}/bots`;
  return (
    <ItemCard
      title="Bots"
      word="bot"
      says="The platform's dashboard sets them up; no REST operation does."
      resource={useResource<{ data: readonly Bot[] }>(path, ["world"])}
      columns={columns}
      idOf={({ uid }) => uid}
      fields={{ fresh, existing }}
      save={({ uid, ...body }, bot) =>
        ask(`${path}/${encodeURIComponent(bot?.uid ?? String(uid))}`, { method: "PUT", body })
      }
      remove={({ uid }) => ask(`${path}/${encodeURIComponent(uid)}`, { method: "DELETE" })}
      lost="Its address hears nothing any more. Its user stays."
      none="No user of this app is a bot."
    />
  );
}
