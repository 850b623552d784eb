import type { CallList, CallRow } from "../../../api/calls.ts";
import {
  AppFilter,
  FilterChip,
  FilterSelect,
  type Filters,
  type LiveList,
  OlderRows,
  PauseButton,
  SearchBox,
  useFilters,
  useLiveList,
} from "../../parts/filters.tsx";
import { useRoute } from "../../parts/route.ts";
import { type Column, Panes, Table } from "../../parts/table.tsx";
import { Badge, Empty, Trouble } from "../../parts/texts.tsx";
import { spanOf, Time } from "../../parts/time.tsx";
import { CallPane, endOf } from "./call-pane.tsx";

const names = ["text", "operation", "status", "who", "user", "app", "trace", "key"];

export function CallsView() {
  const [id] = useRoute().rest;
  const filters = useFilters("calls");
  return (
    <Panes
      list={<CallTable filters={filters} chosen={id} />}
      detail={id && <CallPane key={id} id={id} filters={filters} />}
      back={filters.hash()}
      name="Call"
    />
  );
}

const columns: readonly Column<CallRow>[] = [
  { title: "Time", cell: ({ atMs }) => <Time ms={atMs} /> },
  {
    title: "Call",
    class: "is-wide",
    isLink: true,
    cell: ({ kind, method, path, code, fault }) => (
      <>
        <code>
          <b>{kind === "question" ? "ASK" : method}</b> {path}
        </code>
        {(code ?? fault) !== undefined && <span class="toned is-bad small">{code ?? fault}</span>}
      </>
    ),
  },
  { title: "From", class: "soft is-spare", cell: ({ who }) => who },
  { title: "As", class: "is-spare", cell: ({ onBehalfOf }) => onBehalfOf },
  { title: "Answer", cell: (call) => <Badge tone={endOf(call).tone}>{endOf(call).word}</Badge> },
  { title: "Took", class: "number is-spare", cell: ({ durationMs }) => spanOf(durationMs) },
];

function CallTable({ filters, chosen }: { filters: Filters; chosen: string | undefined }) {
  const newestOf = ({ calls }: CallList) => calls[0]?.id;
  const list = useLiveList<CallList>("/api/calls", ["calls"], filters, { names, newestOf });
  const { value, error } = list;
  const rows = value?.calls ?? [];
  return (
    <>
      <CallFilters filters={filters} list={list} />
      <Trouble error={error} />
      <div class="scroll">
        {value !== undefined && rows.length === 0 ? (
          <NoCalls list={value} />
        ) : (
          <Table
            label="Calls"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => String(id)}
            hrefOf={({ id }) => filters.hash(String(id))}
            chosen={chosen}
          />
        )}
        <OlderRows filters={filters} next={value?.hasOlder ? rows.at(-1)?.id : undefined} />
      </div>
    </>
  );
}

const statuses = [
  ["failed", "not 2xx"],
  "2xx",
  "4xx",
  "5xx",
  ["none", "no answer"],
  ["fault", "with a fault"],
] as const;

const callers = ["function", "console", "other", "platform"];

function CallFilters({ filters, list }: { filters: Filters; list: LiveList<CallList> }) {
  const { value } = list;
  return (
    <search class="bar" aria-label="Calls">
      <SearchBox
        filters={filters}
        name="text"
        label="Search calls"
        placeholder="Path, operation, user, body …"
      />
      <FilterSelect filters={filters} name="status" label="Answer" all="Any answer" options={statuses} />
      <FilterSelect filters={filters} name="who" label="From" all="From any caller" options={callers} />
      <FilterSelect filters={filters} name="user" label="As user" all="As any user" options={value?.users} />
      <AppFilter filters={filters} />
      <FilterChip filters={filters} name="operation" label="operation" />
      <FilterChip filters={filters} name="key" label="journey" />
      <FilterChip filters={filters} name="trace" label="trace" />
      <PauseButton list={list} />
      {value !== undefined && (
        <span class="soft is-end">
          {value.matching} of {value.kept}
        </span>
      )}
    </search>
  );
}

function NoCalls({ list }: { list: CallList }) {
  if (list.kept > 0) return <Empty title="No matching call">Remove a filter, or wait for a call.</Empty>;
  return (
    <Empty title="No calls yet">
      Write a message in <a href="#/chat">Chat</a>, or send a request with curl. It appears here immediately.
    </Empty>
  );
}
