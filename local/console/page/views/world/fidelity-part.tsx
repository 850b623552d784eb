import type { FidelityAnswer, FidelityRow } from "../../../api/world-fidelity.ts";
import { FilterSelect, Pager, SearchBox, useFilters } from "../../parts/filters.tsx";
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
    cell: (row) => (
      <>
        <code>{row.id}</code>
        <div class="is-narrow">
          <Notes {...row} />
        </div>
      </>
    ),
  },
  { title: "Level", cell: ({ level }) => <LevelBadge level={level} /> },
  { title: "Notes", class: "is-spare", cell: (row) => <Notes {...row} /> },
  { title: "Test", class: "is-spare", cell: ({ test }) => <span class="small">{test}</span> },
];

export function FidelityPart() {
  const filters = useFilters("world");
  const query = filters.query(["search", "kind", "level", "page"]);
  const { value, error } = useResource<FidelityAnswer>(`/api/world/fidelity?${query}`, []);
  const { rows, total, kinds, levels: counts } = value ?? { rows: [], total: 0, kinds: [], levels: [] };
  const page = Number(filters.get("page") ?? 1);
  const show = (next: number) => () => filters.set({ page: String(next) }, true);
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
      <search class="tiles">
        <SearchBox filters={filters} name="search" label="Search" placeholder="Search behaviours" />
        <FilterSelect filters={filters} name="kind" label="Kind" all="all kinds" options={kinds} />
        <FilterSelect
          filters={filters}
          name="level"
          label="Level"
          all="all levels"
          options={counts.map(({ level }) => level)}
        />
      </search>
      {value !== undefined && rows.length === 0 ? (
        <Empty title="No matching behaviour">Change the search or the filters.</Empty>
      ) : (
        <Table label="Behaviours" columns={columns} rows={rows} keyOf={({ kind, id }) => `${kind} ${id}`} />
      )}
      <Pager
        from={(page - 1) * perPage}
        shown={rows.length}
        total={total}
        previous={page > 1 ? show(page - 1) : undefined}
        next={page * perPage < total ? show(page + 1) : undefined}
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
