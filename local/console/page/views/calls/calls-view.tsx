import type { CallList, CallRow } from "../../../api/calls.ts";
import { FilterBar, OlderRows, useFilters, useLiveList } from "../../parts/filters.tsx";
import { useRoute } from "../../parts/route.ts";
import { type Column, Panes, Table } from "../../parts/table.tsx";
import { Badge, Empty, Trouble } from "../../parts/texts.tsx";
import { spanOf, Time } from "../../parts/time.tsx";
import { CallPane, endOf } from "./call-pane.tsx";

const names = ["text", "operation", "status", "who", "user", "app", "trace", "key"];

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

const statuses = [
  ["failed", "not 2xx"],
  "2xx",
  "4xx",
  "5xx",
  ["none", "no answer"],
  ["fault", "with a fault"],
] as const;

const selects = [
  ["status", "Answer", "Any answer", statuses],
  ["who", "From", "From any caller", ["function", "console", "other", "platform"]],
] as const;

const chips = [
  ["operation", "operation"],
  ["key", "journey"],
  ["trace", "trace"],
] as const;

export function CallsView() {
  const [id] = useRoute().rest;
  const filters = useFilters("calls");
  const newestOf = ({ calls }: CallList) => calls[0]?.id;
  const list = useLiveList<CallList>("/api/calls", ["calls"], filters, { names, newestOf });
  const { value, error } = list;
  return (
    <Panes
      list={
        <>
          <FilterBar
            label="Calls"
            {...{ filters, list, chips }}
            search={["text", "Search calls", "Path, operation, user, body …"]}
            selects={[...selects, ["user", "As user", "As any user", value?.users]]}
            hasApps
            counts={value && [value.matching, value.kept]}
          />
          <Trouble error={error} />
          <div class="scroll">
            <Table
              label="Calls"
              columns={columns}
              rows={value?.calls}
              hrefOf={(call) => filters.hash(String(call.id))}
              chosen={id}
              empty={value?.kept ? noMatch : noCalls}
            />
            <OlderRows filters={filters} next={value?.hasOlder ? value.calls.at(-1)?.id : undefined} />
          </div>
        </>
      }
      detail={id && <CallPane key={id} id={id} filters={filters} />}
      back={filters.hash()}
      name="Call"
    />
  );
}

const noMatch = <Empty title="No matching call">Remove a filter, or wait for a call.</Empty>;
const noCalls = (
  <Empty title="No calls yet">
    Write a message in <a href="#/chat">Chat</a>, or send a request with curl. It appears here immediately.
  </Empty>
);
