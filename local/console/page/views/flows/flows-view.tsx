import { type FlowList, type FlowRow, flowStates } from "../../../api/flows.ts";
import { FilterPills, ListView, useList } from "../../parts/list.tsx";
import { toHash, useRoute } from "../../parts/route.ts";
import type { Column } from "../../parts/table.tsx";
import { Empty } from "../../parts/texts.tsx";
import { spanOf, Time, toIn } from "../../parts/time.tsx";
import { useNow } from "../../parts/world-clock.tsx";
import { FlowPage } from "./flow-page.tsx";
import { StateBadge } from "./flow-words.tsx";
import { StartFlow } from "./start-flow.tsx";
import "./flows.css";

export function FlowsView() {
  const { rest, query } = useRoute();
  const [id] = rest;
  if (id === "start") return <StartFlow wanted={query.get("flow") ?? undefined} />;
  return <Flows id={id} />;
}

function Flows({ id }: { id: string | undefined }) {
  const names = ["state", "flow", "app", "search"];
  const list = useList<FlowList>("flows", "/api/flows", ["flows", "reload"], names);
  const nowMs = useNow()();
  const { flows, counts } = list.value ?? {};
  return (
    <ListView
      label="Flows"
      list={list}
      columns={columnsAt(nowMs)}
      search={["search", "Search id, input and error", "Id, input, error …"]}
      selects={[["flow", "Flow", "Any flow", flows]]}
      hasApps
      empty={
        <Empty title="No flow has run yet">
          A flow handles work that takes longer than one event. Write one in functions/own/flows.ts
          (docs/flows.md), and start it from a trigger or here.
        </Empty>
      }
      name="Flow"
      chosen={id}
      detail={id && <FlowPage key={id} id={id} />}
    >
      <a class="button" href={toHash("flows", ["start"])}>
        Start a flow
      </a>
      <FilterPills
        filters={list.filters}
        name="state"
        label="State"
        choices={flowStates.map((state) => [state, state, counts?.[state] ?? 0])}
      />
    </ListView>
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
            {state === "running" && dueAtMs !== undefined && toIn(dueAtMs, nowMs)}
            {endedAtMs !== undefined && `after ${spanOf(endedAtMs - startedAtMs)}`}
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
