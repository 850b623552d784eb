import "./flows.css";
import { useEffect, useState } from "preact/hooks";
import {
  type FlowKind,
  type FlowKinds,
  type FlowList,
  type FlowRow,
  flowStates,
} from "../../../api/flows.ts";
import { send } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { appOptions, useAppId, useFacts } from "../../parts/facts.tsx";
import { SelectField } from "../../parts/field.tsx";
import { write } from "../../parts/json/field-types.ts";
import { JsonInput } from "../../parts/json/json-input.tsx";
import { FilterPills, ListView, useList } from "../../parts/list.tsx";
import { go, toHash, useRoute } from "../../parts/route.ts";
import { useNow } from "../../parts/stack-clock.tsx";
import type { Column } from "../../parts/table.tsx";
import { Empty, spanOf, Time, toIn } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { FlowPage } from "./flow-page.tsx";
import { StateBadge } from "./steps.tsx";

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

function StartFlow({ wanted }: { wanted: string | undefined }) {
  const { value, error, reload } = useResource<FlowKinds>("/api/flow-kinds", ["reload"]);
  const kinds = value?.kinds ?? [];
  const kind = kinds.find(({ name }) => name === wanted) ?? kinds[0];
  return (
    <section class="page stack" aria-label="Start a flow">
      <a href={toHash("flows")}>‹ All flows</a>
      <h2>Start a flow by hand</h2>
      {error && (
        <>
          <pre class="trouble">{error}</pre>
          <Button act={reload}>Read the flows again</Button>
        </>
      )}
      {value !== undefined && kind === undefined && (
        <Empty title="There is no flow">
          Write one and name it in functions/own/flows.ts (docs/flows.md).
        </Empty>
      )}
      {kind && <StartForm kind={kind} kinds={kinds} />}
    </section>
  );
}

function StartForm({ kind, kinds }: { kind: FlowKind; kinds: readonly FlowKind[] }) {
  const apps = useFacts()?.apps ?? [];
  const appId = useAppId() ?? "";
  const sample = write(kind.input);
  const [text, setText] = useState(sample);
  useEffect(() => setText(sample), [kind.name, sample]);
  const choose = (change: Readonly<Record<string, string>>) =>
    go(toHash("flows", ["start"], { flow: kind.name, app: appId, ...change }));
  const start = async () => {
    const body = { flow: kind.name, appId, input: JSON.parse(text) };
    const { id } = await send<{ id: string }>("POST", "/api/flows", body);
    go(toHash("flows", [id]));
  };
  return (
    <div class="card">
      <div class="tiles">
        <SelectField
          label="Flow"
          value={kind.name}
          options={kinds.map(({ name }) => name)}
          onInput={(flow) => choose({ flow })}
        />
        <SelectField
          label="App"
          value={appId}
          options={appOptions(apps, appId)}
          onInput={(app) => choose({ app })}
        />
      </div>
      {kind.waitsFor.length > 0 && <p class="soft">It may wait for {kind.waitsFor.join(", ")}.</p>}
      <JsonInput label="Input" text={text} base={kind.input} onText={setText} />
      <div class="buttons">
        <Button kind="main" act={start} isDisabled={appId === ""}>
          Start
        </Button>
      </div>
    </div>
  );
}
