import { useState } from "preact/hooks";
import type { ItemsAnswer, ShownItem } from "../../../api/world-state.ts";
import { ask } from "../../parts/ask.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable, Pager, SearchField } from "../../parts/data-table.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Empty } from "../../parts/empty.tsx";
import { TextArea } from "../../parts/field.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { go, toHash, useRoute } from "../../parts/route.ts";
import { Time } from "../../parts/time.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { ConfirmButton } from "./confirm.tsx";
import { PartHead, PartTrouble } from "./part-head.tsx";

const path = "/api/world/state";
const perPage = 50;

const empty: Readonly<Record<string, string>> = {
  StateTable: "Triggers that use `state` store it here.",
  EffectsTable: "Write a message that a trigger answers, and its effects appear here.",
  LanesTable: "Parked lanes, whose event cannot be handled yet, appear here.",
  FlowsTable: "Flows that wait for an event appear here.",
};

export function StatePart() {
  const { query } = useRoute();
  const table = query.get("table") ?? "StateTable";
  const search = query.get("search") ?? "";
  const page = Number(query.get("page") ?? 1);
  const asked = new URLSearchParams({ table, search, page: String(page) });
  const { value, error, reload } = useResource<ItemsAnswer>(`${path}?${asked}`, [
    "world",
    "queues",
    "journeys",
  ]);
  const [opened, setOpened] = useState<ShownItem>();
  const show = (changed: Readonly<Record<string, string>>, replace = false) =>
    go(toHash("world", ["state"], { table, search, ...changed }), { replace });
  const close = () => {
    setOpened(undefined);
    reload();
  };
  return (
    <>
      <PartHead
        title="State"
        says="The functions' tables: the state of triggers, finished effects, parked lanes, and what flows wait for."
      />
      <fieldset class="row pills">
        <legend class="visually-hidden">Table</legend>
        {value?.tables.map(({ id, title, count }) => (
          <Button key={id} act={() => show({ table: id, page: "" })} isPressed={id === table}>
            {title} <span class="soft">{count.toLocaleString()}</span>
          </Button>
        ))}
      </fieldset>
      <div>
        <SearchField
          label="Search"
          value={search}
          onSearch={(text) => show({ search: text, page: "" }, true)}
        />
      </div>
      <PartTrouble error={error} />
      {value?.items.length === 0 && (
        <Empty title={search === "" ? "No items" : "No matching items"}>
          {search === "" ? empty[table] : "Change the search."}
        </Empty>
      )}
      {value !== undefined && value.items.length > 0 && (
        <>
          <ItemTable items={value.items} table={table} onOpen={setOpened} onChanged={reload} />
          <Pager
            page={page}
            perPage={perPage}
            total={value.total}
            onPage={(next) => show({ page: String(next) })}
          />
        </>
      )}
      {opened !== undefined && <ItemDialog item={opened} table={table} onClose={close} />}
    </>
  );
}

const columns: readonly Column<ShownItem>[] = [
  {
    title: "What",
    cell: (item) => (
      <>
        <bdi>{item.title}</bdi>
        <br />
        <code class="soft">{item.about}</code>
      </>
    ),
  },
  {
    title: "Status",
    cell: ({ status, tone, value }) => (
      <>
        <Badge tone={tone}>{status}</Badge>
        {value !== undefined && (
          <>
            <br />
            <code>{value.length > 60 ? `${value.slice(0, 60)}…` : value}</code>
          </>
        )}
      </>
    ),
  },
  {
    title: "Since",
    isMinor: true,
    cell: ({ atMs }) => (atMs === undefined ? "–" : <Time ms={atMs} withDate />),
  },
];

function ItemTable({
  items,
  table,
  onOpen,
  onChanged,
}: {
  readonly items: readonly ShownItem[];
  readonly table: string;
  readonly onOpen: (item: ShownItem) => void;
  readonly onChanged: () => void;
}) {
  const remove = async (item: ShownItem) => {
    await ask(path, { method: "DELETE", body: { table, key: item.key } });
    onChanged();
  };
  const acts: Column<ShownItem> = {
    title: "Acts",
    cell: (item) => (
      <span class="buttons">
        <Button act={() => onOpen(item)} label={`Open ${item.title}`}>
          Open
        </Button>
        <ConfirmButton
          label="Remove"
          title={`Remove ${item.title}?`}
          says={
            table === "EffectsTable"
              ? "The functions then no longer know that this was done. If its event comes again, they repeat it."
              : "The functions continue as if it had never been written."
          }
          done={`Removed ${item.title}.`}
          act={() => remove(item)}
        />
      </span>
    ),
  };
  return <DataTable label="Items" rows={items} keyOf={({ key }) => key} columns={[...columns, acts]} />;
}

function ItemDialog({
  item,
  table,
  onClose,
}: {
  readonly item: ShownItem;
  readonly table: string;
  readonly onClose: () => void;
}) {
  const [value, setValue] = useState(item.value ?? "");
  const save = async () => {
    await ask(path, { method: "PUT", body: { table, key: item.key, value } });
    notifyDone(`${item.title} has a new value.`);
    onClose();
  };
  return (
    <Dialog title={item.title} onClose={onClose}>
      <p class="soft">
        {item.about}
        {item.expiresAtMs !== undefined && (
          <>
            {", deleted after "}
            <Time ms={item.expiresAtMs} withDate />
          </>
        )}
      </p>
      {table === "StateTable" && item.value !== undefined && (
        <>
          <TextArea label="Value, as JSON" value={value} onInput={setValue} isCode rows={4} />
          <div class="buttons">
            <Button kind="main" act={save} isDisabled={value === item.value}>
              Save
            </Button>
          </div>
        </>
      )}
      <JsonView label="Item" value={item.facts} />
    </Dialog>
  );
}
