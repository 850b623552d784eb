import { type FlowList, type FlowRow, flowStates } from "../../../api/flows.ts";
import { FilterBar, FilterPills, OlderRows, useFilters } from "../../parts/filters.tsx";
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
  const [id] = rest;
  if (id === "start") return <StartFlow wanted={query.get("flow") ?? undefined} />;
  return <Flows id={id} />;
}

function Flows({ id }: { id: string | undefined }) {
  const filters = useFilters("flows");
  const path = `/api/flows?${filters.query(["state", "flow", "app", "search", "before"])}`;
  const { value, error } = useResource<FlowList>(path, ["flows", "reload"], { keepsValue: true });
  const nowMs = useNow()();
  const counts = value?.counts;
  return (
    <Panes
      list={
        <>
          <FilterBar
            label="Flows"
            filters={filters}
            search={["search", "Search id, input and error", "Id, input, error …"]}
            selects={[["flow", "Flow", "Any flow", value?.flows]]}
            hasApps
          >
            <a class="button" href={toHash("flows", ["start"])}>
              Start a flow
            </a>
            <FilterPills
              filters={filters}
              name="state"
              label="State"
              choices={flowStates.map((state) => [state, state, counts?.[state] ?? 0])}
            />
          </FilterBar>
          <Trouble error={error} />
          <div class="scroll">
            <Table
              label="Flows"
              columns={columnsAt(nowMs)}
              rows={value?.rows}
              hrefOf={(flow) => filters.hash(flow.id)}
              chosen={id}
              empty={counts && Object.values(counts).some((count) => count > 0) ? noMatch : noFlows}
            />
            <OlderRows filters={filters} next={value?.next} />
          </div>
        </>
      }
      detail={id && <FlowPage key={id} id={id} />}
      back={filters.hash()}
      name="Flow"
    />
  );
}

const noMatch = <Empty title="No matching flow">Change the search, or show all.</Empty>;
const noFlows = (
  <Empty title="No flow has run yet">
    A flow handles work that takes longer than one event. Write one in functions/own/flows.ts (docs/flows.md),
    and start it from a trigger or here.
  </Empty>
);

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
