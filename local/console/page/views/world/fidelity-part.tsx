import type { FidelityAnswer, FidelityRow } from "../../../api/world-fidelity.ts";
import { ListView, useList } from "../../parts/list.tsx";
import type { Column } from "../../parts/table.tsx";
import { Badge, type Tone, WithCode } from "../../parts/texts.tsx";
import { Part } from "./part.tsx";

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
  const list = useList<FidelityAnswer>("world", "/api/world/fidelity", [], ["search", "kind", "level"]);
  const { kinds, levels: counts } = list.value ?? { kinds: [], levels: [] };
  return (
    <Part title="Fidelity" says="How certain each behaviour of the emulated platform is.">
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
      <ListView
        label="Behaviours"
        {...{ list, columns }}
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
