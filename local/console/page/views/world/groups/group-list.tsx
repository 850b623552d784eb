import { useState } from "preact/hooks";
import { ask } from "../../../parts/ask.ts";
import { Badge } from "../../../parts/badge.tsx";
import { type Column, DataTable, Pager, SearchField } from "../../../parts/data-table.tsx";
import { Dialog } from "../../../parts/dialog.tsx";
import { Empty } from "../../../parts/empty.tsx";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { Form } from "../../../parts/form.tsx";
import { go, useRoute } from "../../../parts/route.ts";
import { tellDone } from "../../../parts/toasts.tsx";
import { useResource } from "../../../parts/use-resource.ts";
import { PartHead, PartTrouble } from "../part-head.tsx";
import { toWorld } from "../to-world.ts";
import type { WireGroup, WirePage } from "../wire.ts";
import { newGroupFields } from "./group-fields.ts";

const perPage = 50;

const columns: readonly Column<WireGroup>[] = [
  {
    title: "Group",
    cell: ({ guid, name }) => (
      <a class="world-name" href={toWorld(["groups", guid])}>
        <bdi>{name}</bdi>
        <code>{guid}</code>
      </a>
    ),
  },
  { title: "Type", cell: ({ type }) => <Badge tone={type === "public" ? "good" : "waiting"}>{type}</Badge> },
  { title: "Owner", cell: ({ owner }) => <code>{owner}</code>, isMinor: true },
  {
    title: "Tags",
    cell: ({ tags = [] }) => tags.map((tag) => <Badge key={tag}>{tag}</Badge>),
    isMinor: true,
  },
  { title: "Members", cell: ({ membersCount }) => membersCount.toLocaleString(), isNumber: true },
];

export function GroupList({ appId }: { appId: string }) {
  const { query } = useRoute();
  const [isMaking, setMaking] = useState(false);
  const filters = Object.fromEntries(query);
  const { value, error } = useResource<WirePage<WireGroup>>(listPath(appId, query), ["world"]);
  const groups = value?.data ?? [];
  const filter = (name: string, text: string) =>
    go(toWorld(["groups"], { ...filters, page: undefined, [name]: text }), { replace: true });
  return (
    <>
      <PartHead title="Groups" says="Conversations of several users.">
        <button type="button" class="main" onClick={() => setMaking(true)}>
          New group
        </button>
      </PartHead>
      <search class="world-filters">
        <SearchField
          label="Search"
          placeholder="Name or GUID begins with …"
          value={query.get("search") ?? ""}
          onSearch={(text) => filter("search", text)}
        />
        <SelectField
          label="Type"
          value={query.get("type") ?? ""}
          onInput={(text) => filter("type", text)}
          options={[["", "all types"], "public", "private", "password"]}
        />
        <TextField label="Tags" value={query.get("tags") ?? ""} onInput={(text) => filter("tags", text)} />
        <SelectField
          label="Sorted by"
          value={query.get("sort") ?? ""}
          onInput={(text) => filter("sort", text)}
          options={[
            ["", "GUID"],
            ["name", "name"],
            ["createdAt", "age"],
          ]}
        />
      </search>
      <PartTrouble error={error} />
      {value !== undefined && groups.length === 0 ? (
        <Empty title="No matching group">Change the filters, or create a group.</Empty>
      ) : (
        <DataTable label="Groups" columns={columns} rows={groups} keyOf={({ guid }) => guid} />
      )}
      <Pager
        page={Number(query.get("page") ?? 1)}
        perPage={perPage}
        total={value?.meta?.pagination?.total ?? 0}
        onPage={(next) => go(toWorld(["groups"], { ...filters, page: String(next) }))}
      />
      {isMaking && (
        <Dialog title="New group" onClose={() => setMaking(false)}>
          <Form
            label="New group"
            fields={newGroupFields}
            submitLabel="Create group"
            onCancel={() => setMaking(false)}
            submit={async (body) => {
              await ask(`/api/chat/${appId}/groups`, { method: "POST", body });
              setMaking(false);
              tellDone(`Created ${body.guid}.`);
            }}
          />
        </Dialog>
      )}
    </>
  );
}

function listPath(appId: string, query: URLSearchParams): string {
  const asked = new URLSearchParams({
    perPage: String(perPage),
    page: query.get("page") ?? "1",
    withTags: "true",
  });
  for (const [own, theirs] of [
    ["search", "searchKey"],
    ["type", "type"],
    ["tags", "tags"],
    ["sort", "sortBy"],
  ] as const) {
    const text = query.get(own);
    if (text) asked.set(theirs, text);
  }
  return `/api/chat/${appId}/groups?${asked}`;
}
