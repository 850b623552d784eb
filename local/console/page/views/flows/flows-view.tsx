import { type FlowList, type FlowRow, flowStates } from "../../../api/flows.ts";
import {
  FilterPills,
  FilterSelect,
  type Filters,
  OlderRows,
  SearchBox,
  useFilters,
} from "../../parts/filters.tsx";
import { toHash, useRoute } from "../../parts/route.ts";
import { type Column, Panes, Table } from "../../parts/table.tsx";
import { Empty, Trouble } from "../../parts/texts.tsx";
import { Time } from "../../parts/time.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { useNow } from "../../parts/world-clock.tsx";
import { FlowPage } from "./flow-page.tsx";
import { awayFrom, longSpanOf, StateBadge } from "./flow-words.tsx";
import { StartFlow } from "./start-flow.tsx";
import "./flows.css";

export function FlowsView() {
  const { rest, query } = useRoute();
  const filters = useFilters("flows");
  const [id] = rest;
  if (id === "start") return <StartFlow wanted={query.get("flow") ?? undefined} />;
  return (
    <Panes
      list={<Flows filters={filters} chosen={id} />}
      detail={id && <FlowPage key={id} id={id} />}
      back={filters.hash()}
      name="Flow"
    />
  );
}

function Flows({ filters, chosen }: { filters: Filters; chosen: string | undefined }) {
  const path = `/api/flows?${filters.query(["state", "flow", "app", "search", "before"])}`;
  const { value, error } = useResource<FlowList>(path, ["flows", "reload"], { keepsValue: true });
  const now = useNow();
  const { rows, counts, flows, apps, next } = value ?? { rows: [], flows: [], apps: [] };
  const isEmpty = value !== undefined && rows.length === 0;
  return (
    <>
      <search class="bar" aria-label="Flows">
        <SearchBox
          filters={filters}
          name="search"
          label="Search id, input and error"
          placeholder="Id, input, error …"
        />
        <FilterSelect filters={filters} name="flow" label="Flow" all="Any flow" options={flows} />
        {apps.length > 1 && (
          <FilterSelect filters={filters} name="app" label="App" all="Any app" options={apps} />
        )}
        <a class="button" href={toHash("flows", ["start"])}>
          Start a flow
        </a>
        <FilterPills
          filters={filters}
          name="state"
          label="State"
          choices={flowStates.map((state) => [state, state, counts?.[state] ?? 0])}
        />
      </search>
      <Trouble error={error} />
      <div class="scroll">
        {isEmpty ? (
          <Nothing isFiltered={Object.values(value.counts).some((count) => count > 0)} />
        ) : (
          <Table
            label="Flows"
            columns={columnsAt(now())}
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => filters.hash(id)}
            chosen={chosen}
          />
        )}
        <OlderRows filters={filters} next={next} />
      </div>
    </>
  );
}

function columnsAt(nowMs: number): readonly Column<FlowRow>[] {
  return [
    { title: "Flow", isLink: true, cell: ({ id, flow }) => <span title={id}>{flow}</span> },
    {
      title: "State",
      cell: ({ state, words }) => (
        <StateBadge state={state} isWaiting={state === "running" && words !== "runs"} />
      ),
    },
    {
      title: "About",
      class: "is-spare",
      cell: ({ about, appId }) => (
        <>
          <span class="clamp" title={about}>
            {about}
          </span>
          <span class="soft small clip">{appId}</span>
        </>
      ),
    },
    {
      title: "Status",
      cell: ({ words, state, dueAtMs, endedAtMs, startedAtMs }) => (
        <>
          <span class="clamp" title={words}>
            {words}
          </span>
          <span class="soft small clip">
            {state === "running" && dueAtMs !== undefined && awayFrom(dueAtMs, nowMs)}
            {endedAtMs !== undefined && `after ${longSpanOf(endedAtMs - startedAtMs)}`}
          </span>
        </>
      ),
    },
    {
      title: "Began",
      class: "is-spare",
      cell: ({ startedAtMs }) => <Time ms={startedAtMs} format="moment" />,
    },
  ];
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No matching flow">Change the search, or show all.</Empty>;
  return (
    <Empty title="No flow has run yet">
      A flow handles work that takes longer than one event. Write one in functions/own/flows.ts
      (docs/flows.md), and start it from a trigger or here.
    </Empty>
  );
}
