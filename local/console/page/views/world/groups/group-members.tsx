import { useState } from "preact/hooks";
import { ask } from "../../../parts/ask.ts";
import { Button } from "../../../parts/button.tsx";
import { Pager } from "../../../parts/data-table.tsx";
import { Form } from "../../../parts/form.tsx";
import type { FormField } from "../../../parts/form-values.ts";
import { notifyDone, notifyFailed } from "../../../parts/toasts.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { Card, PartTrouble } from "../part-head.tsx";
import { toWorld } from "../to-world.ts";
import { requireAll, type WireGroup, type WireMember, type WirePage } from "../wire.ts";

const perPage = 25;
const scopes = ["participant", "moderator", "admin"] as const;

const addFields: readonly FormField[] = [
  {
    name: "uids",
    label: "Add members",
    kind: "words",
    isRequired: true,
    hint: "At most 25 UIDs, separated by commas.",
  },
  { name: "scope", label: "As", kind: "choice", options: scopes },
];

export function GroupMembers({
  path,
  group,
  reloadGroup,
}: {
  path: string;
  group: WireGroup;
  reloadGroup: () => void;
}) {
  const [page, setPage] = useState(1);
  const own = `${path}/members`;
  const { value, error, reload } = useResource<WirePage<WireMember>>(
    `${own}?perPage=${perPage}&page=${page}`,
    ["world"],
  );
  const members = value?.data ?? [];
  const total = value?.meta?.pagination?.total ?? 0;
  const add = async ({ uids, scope }: Record<string, unknown>) => {
    const { data } = await ask<{ data: Record<string, Record<string, unknown>> }>(own, {
      method: "POST",
      body: { [`${scope}s`]: uids },
    });
    reload();
    reloadGroup();
    for (const results of Object.values(data)) requireAll(results);
  };
  const done = (text: string) => {
    reload();
    reloadGroup();
    notifyDone(text);
  };
  return (
    <Card title={`Members (${total})`}>
      <PartTrouble error={error} />
      {value !== undefined && members.length === 0 && <p class="soft">This group has no members.</p>}
      <ul class="world-rows">
        {members.map((member) => (
          <MemberRow
            key={member.uid}
            path={path}
            member={member}
            isOwner={member.uid === group.owner}
            done={done}
          />
        ))}
      </ul>
      {total > perPage && <Pager page={page} perPage={perPage} total={total} onPage={setPage} />}
      <Form label="Add members" fields={addFields} submit={add} submitLabel="Add" kind="plain" />
    </Card>
  );
}

interface MemberAct {
  readonly word: string;
  readonly label?: string;
  readonly method: "DELETE" | "POST" | "PUT";
  readonly at: string;
  readonly body?: object;
  readonly says: string;
}

interface MemberRowProps {
  path: string;
  member: WireMember;
  isOwner: boolean;
  done: (text: string) => void;
}

function MemberRow({ path, member: { uid, name, scope }, isOwner, done }: MemberRowProps) {
  const own = `${path}/members/${encodeURIComponent(uid)}`;
  const setScope = async (wanted: string) => {
    try {
      await ask(own, { method: "PUT", body: { scope: wanted } });
      done(`${name} is now ${wanted}.`);
    } catch (error) {
      notifyFailed(error);
    }
  };
  const owning = { method: "PUT", at: path, body: { owner: uid } } as const;
  const bans = `${path}/bannedusers/${encodeURIComponent(uid)}`;
  const acts: readonly MemberAct[] = [
    ...(isOwner
      ? []
      : [
          {
            ...{ word: "Make owner", label: `Make owner: ${name}`, ...owning },
            says: "is now the owner of the group.",
          },
        ]),
    { word: "Kick", method: "DELETE", at: own, says: "was kicked." },
    { word: "Ban", method: "POST", at: bans, says: "was banned." },
  ];
  return (
    <li>
      <a class="world-name" href={toWorld(["users", uid])}>
        <bdi>{name}</bdi>
        <code>{isOwner ? `${uid} · owner` : uid}</code>
      </a>
      <span class="world-acts">
        <select
          aria-label={`Scope of ${name}`}
          value={scope}
          onChange={({ currentTarget }) => void setScope(currentTarget.value)}
        >
          {scopes.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        {acts.map(({ word, label = `${word} ${name}`, method, at, body, says }) => (
          <Button
            key={word}
            kind="quiet"
            label={label}
            act={async () => {
              await ask(at, { method, body });
              done(`${name} ${says}`);
            }}
          >
            {word}
          </Button>
        ))}
      </span>
    </li>
  );
}
