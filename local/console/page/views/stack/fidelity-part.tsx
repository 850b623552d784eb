import { useState } from "preact/hooks";
import type { FidelityAnswer, FidelityRow, ItemsAnswer, ShownItem } from "../../../api/stack.ts";
import { send } from "../../parts/ask.ts";
import { Button, notifyDone } from "../../parts/button.tsx";
import { ConfirmButton, DialogButton } from "../../parts/dialog.tsx";
import { JsonEditor, JsonView } from "../../parts/json/json-input.tsx";
import { FilterPills, ListView, useList } from "../../parts/list.tsx";
import type { Column } from "../../parts/table.tsx";
import { Badge, Empty, formatTime, Time, type Tone, WithCode } from "../../parts/texts.tsx";
import { Part } from "./part.tsx";

const levels: Readonly<Record<string, { readonly tone: Tone; readonly description: string }>> = {
  documented: { tone: "good", description: "a page of the platform states it" },
  live: { tone: "good", description: "it was seen on the real platform" },
  assumed: { tone: "waiting", description: "neither: the emulation makes an assumption" },
  "not built": { tone: "bad", description: "exists on the platform, but not in the emulation" },
};

const columns: readonly Column<FidelityRow>[] = [
  {
    title: "Behaviour",
    cell: ({ id }) => <code>{id}</code>,
  },
  { title: "Level", cell: ({ level }) => <LevelBadge level={level} /> },
  { title: "Notes", cell: (row) => <Notes {...row} /> },
  { title: "Test", class: "is-spare", cell: ({ test }) => <span class="small">{test}</span> },
];

export function FidelityPart() {
  const list = useList<FidelityAnswer>("stack", "/api/stack/fidelity", [], ["search", "kind", "level"]);
  const { kinds, levels: counts } = list.value ?? { kinds: [], levels: [] };
  return (
    <Part title="Fidelity" description="How certain each behaviour of the emulated platform is.">
      <dl class="tiles">
        {counts.map(({ level, count }) => (
          <div key={level}>
            <dt>
              <LevelBadge level={level} /> {count}
            </dt>
            <dd class="soft">{levels[level]?.description}</dd>
          </div>
        ))}
      </dl>
      <ListView
        label="Behaviours"
        list={list}
        columns={columns}
        search={["search", "Search", "Search behaviours"]}
        selects={[
          ["kind", "Kind", "all kinds", kinds],
          ["level", "Level", "all levels", counts.map(({ level }) => level)],
        ]}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        empty={undefined}
      />
    </Part>
  );
}

function LevelBadge({ level }: { level: string }) {
  return <Badge tone={levels[level]?.tone ?? "plain"}>{level}</Badge>;
}

function Notes({ notes, source }: FidelityRow) {
  return (
    <>
      {notes.map((note) => (
        <p key={note}>
          <WithCode text={note} />
        </p>
      ))}
      <p class="soft small">{source}</p>
    </>
  );
}

const path = "/api/stack/state";
const topics = ["stack", "queues", "journeys"] as const;

export function StatePart() {
  const list = useList<ItemsAnswer>("stack", path, topics, ["table", "search"]);
  const { table, tables } = list.value ?? { table: "", tables: [] };
  return (
    <Part
      title="State"
      description="The functions' tables: the state of triggers, finished effects, parked lanes, and what flows wait for."
    >
      <ListView
        label="Items"
        list={list}
        columns={[...itemColumns, actsOf(table)]}
        search={["search", "Search", "Search items"]}
        keyOf={({ key }) => key}
        empty={<Empty title="No items">Triggers that use `state` store it here.</Empty>}
      >
        <FilterPills
          filters={list.filters}
          name="table"
          label="Table"
          initial="StateTable"
          choices={tables.map(({ id, title, count }) => [id, title, count])}
        />
      </ListView>
    </Part>
  );
}

const itemColumns: readonly Column<ShownItem>[] = [
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
    cell: ({ status, tone, value = "" }) => (
      <>
        <Badge tone={tone}>{status}</Badge>
        <br />
        <code>{value.length > 60 ? `${value.slice(0, 60)}…` : value}</code>
      </>
    ),
  },
  { title: "Since", class: "is-spare", cell: ({ atMs }) => atMs && <Time ms={atMs} format="moment" /> },
];

function actsOf(table: string): Column<ShownItem> {
  const description =
    table === "EffectsTable"
      ? "The functions then no longer know that this was done. If its event comes again, they repeat it."
      : "The functions continue as if it had never been written.";
  return {
    title: "Acts",
    cell: (item) => (
      <span class="buttons">
        <DialogButton label="Open" ariaLabel={`Open ${item.title}`} title={item.title}>
          {(close) => <OpenItem item={item} table={table} close={close} />}
        </DialogButton>
        <ConfirmButton
          label="Remove"
          title={`Remove ${item.title}?`}
          description={description}
          done={`Removed ${item.title}.`}
          act={() => send("DELETE", path, { table, key: item.key })}
        />
      </span>
    ),
  };
}

interface ItemProps {
  readonly item: ShownItem;
  readonly table: string;
  readonly close: () => void;
}

function OpenItem({ item, table, close }: ItemProps) {
  const [value, setValue] = useState(item.value ?? "");
  const save = async () => {
    await send("PUT", path, { table, key: item.key, value });
    notifyDone(`${item.title} has a new value.`);
    close();
  };
  return (
    <>
      <p class="soft">
        {item.about}
        {item.expiresAtMs !== undefined && [", deleted after ", formatTime(item.expiresAtMs, "moment")]}
      </p>
      {item.value !== undefined && (
        <>
          <JsonEditor label="Value, as JSON" text={value} original={item.value} onText={setValue} />
          <div class="buttons">
            <Button kind="main" act={save} isDisabled={value === item.value}>
              Save
            </Button>
          </div>
        </>
      )}
      <JsonView label="Item" value={item.facts} />
    </>
  );
}
