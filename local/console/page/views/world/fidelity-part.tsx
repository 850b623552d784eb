import type { FidelityAnswer, FidelityRow } from "../../../api/world-fidelity.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { type Column, DataTable, Pager, SearchField } from "../../parts/data-table.tsx";
import { Empty } from "../../parts/empty.tsx";
import { SelectField } from "../../parts/field.tsx";
import { go, toHash, useRoute } from "../../parts/route.ts";
import { useResource } from "../../parts/use-resource.ts";
import { PartHead, PartTrouble } from "./part-head.tsx";
import { WithCode } from "./with-code.tsx";

const perPage = 100;

const tones: Readonly<Record<string, Tone>> = {
  documented: "good",
  live: "good",
  assumed: "waiting",
  "not built": "bad",
};

const says: Readonly<Record<string, string>> = {
  documented: "a page of the platform states it",
  live: "it was seen on the real platform",
  assumed: "neither: the emulation makes an assumption",
  "not built": "exists on the platform, but not in the emulation",
};

const columns: readonly Column<FidelityRow>[] = [
  {
    title: "Behaviour",
    cell: (row) => (
      <>
        <code>{row.id}</code>
        <div class="is-narrow">
          <Notes row={row} />
        </div>
      </>
    ),
  },
  { title: "Level", cell: ({ level }) => <Badge tone={tones[level] ?? "plain"}>{level}</Badge> },
  { title: "Notes", cell: (row) => <Notes row={row} />, isMinor: true },
  { title: "Test", cell: ({ test }) => <span class="small">{test}</span>, isMinor: true },
];

export function FidelityPart() {
  const { query } = useRoute();
  const filters = Object.fromEntries(query);
  const asked = new URLSearchParams(filters);
  const { value, error } = useResource<FidelityAnswer>(`/api/world/fidelity?${asked}`, []);
  const filter = (name: string, text: string) =>
    go(toHash("world", ["fidelity"], { ...filters, page: undefined, [name]: text }), { replace: true });
  return (
    <>
      <PartHead title="Fidelity" says="How certain each behaviour of the emulated platform is." />
      <dl class="tiles">
        {value?.levels.map(({ level, count }) => (
          <div key={level}>
            <dt>
              <Badge tone={tones[level] ?? "plain"}>{level}</Badge> {count}
            </dt>
            <dd class="soft">{says[level]}</dd>
          </div>
        ))}
      </dl>
      <search class="line">
        <SearchField
          label="Search"
          value={query.get("search") ?? ""}
          onSearch={(text) => filter("search", text)}
        />
        <SelectField
          label="Kind"
          value={query.get("kind") ?? ""}
          onInput={(text) => filter("kind", text)}
          options={[["", "all kinds"], ...(value?.kinds ?? [])]}
        />
        <SelectField
          label="Level"
          value={query.get("level") ?? ""}
          onInput={(text) => filter("level", text)}
          options={[["", "all levels"], ...(value?.levels.map(({ level }) => level) ?? [])]}
        />
      </search>
      <PartTrouble error={error} />
      {value !== undefined && value.rows.length === 0 ? (
        <Empty title="No matching behaviour">Change the search or the filters.</Empty>
      ) : (
        <DataTable
          label="Behaviours"
          columns={columns}
          rows={value?.rows ?? []}
          keyOf={({ kind, id }) => `${kind} ${id}`}
        />
      )}
      <Pager
        page={Number(query.get("page") ?? 1)}
        perPage={perPage}
        total={value?.total ?? 0}
        onPage={(next) => go(toHash("world", ["fidelity"], { ...filters, page: String(next) }))}
      />
    </>
  );
}

function Notes({ row: { notes, source } }: { row: FidelityRow }) {
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
