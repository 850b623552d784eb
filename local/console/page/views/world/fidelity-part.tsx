import type { FidelityAnswer, FidelityRow } from "../../../api/world-fidelity.ts";
import { FilterBar, FilterPager, useFilters } from "../../parts/filters.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Badge, Empty, type Tone, WithCode } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Part } from "./part.tsx";

const perPage = 100;

const levels: Readonly<Record<string, { readonly tone: Tone; readonly says: string }>> = {
  documented: { tone: "good", says: "a page of the platform states it" },
  live: { tone: "good", says: "it was seen on the real platform" },
  assumed: { tone: "waiting", says: "neither: the emulation makes an assumption" },
  "not built": { tone: "bad", says: "exists on the platform, but not in the emulation" },
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
  const filters = useFilters("world");
  const query = filters.query(["search", "kind", "level", "page"]);
  const { value, error } = useResource<FidelityAnswer>(`/api/world/fidelity?${query}`, []);
  const { total, kinds, levels: counts } = value ?? { total: 0, kinds: [], levels: [] };
  return (
    <Part title="Fidelity" says="How certain each behaviour of the emulated platform is." error={error}>
      <dl class="tiles">
        {counts.map(({ level, count }) => (
          <div key={level}>
            <dt>
              <LevelBadge level={level} /> {count}
            </dt>
            <dd class="soft">{levels[level]?.says}</dd>
          </div>
        ))}
      </dl>
      <FilterBar
        label="Fidelity"
        filters={filters}
        search={["search", "Search", "Search behaviours"]}
        selects={[
          ["kind", "Kind", "all kinds", kinds],
          ["level", "Level", "all levels", counts.map(({ level }) => level)],
        ]}
      />
      <Table
        label="Behaviours"
        columns={columns}
        rows={value?.rows}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        empty={<Empty title="No matching behaviour">Change the search or the filters.</Empty>}
      />
      <FilterPager filters={filters} perPage={perPage} total={total} />
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
