import type { ComponentChildren } from "preact";
import type { CallList, CallRow } from "../../../api/calls.ts";
import { Badge } from "../../parts/badge.tsx";
import { Empty } from "../../parts/empty.tsx";
import { AppFilter, Chip, FilterSelect, type Filters, SearchBox, useFilters } from "../../parts/filters.tsx";
import { HeadRow } from "../../parts/head-row.tsx";
import { OlderRows, PauseButton, useLiveList } from "../../parts/live-list.tsx";
import { Panes, useRowKeys } from "../../parts/panes.tsx";
import { useRoute } from "../../parts/route.ts";
import { spanOf, Time } from "../../parts/time.tsx";
import { CallPane } from "./call-pane.tsx";
import { callerWords, endOf } from "./call-words.ts";

const names = ["text", "operation", "status", "who", "user", "app", "trace", "key"];

export function CallsView() {
  const { rest } = useRoute();
  const filters = useFilters("calls");
  const id = rest[0];
  return (
    <Panes
      list={<CallTable filters={filters} chosen={id} />}
      detail={id === undefined ? undefined : <CallPane id={id} filters={filters} />}
      back={filters.hash()}
      name="Call"
    />
  );
}

function CallTable({ filters, chosen }: { filters: Filters; chosen: string | undefined }) {
  const list = useLiveList<CallList>("/api/calls", ["calls"], {
    filters,
    names,
    newestOf: ({ calls }) => calls[0]?.id,
  });
  const { value, error } = list;
  const rows = value?.calls ?? [];
  const box = useRowKeys<HTMLDivElement>();
  return (
    <>
      <CallFilters filters={filters} list={value}>
        <PauseButton list={list} />
      </CallFilters>
      {error !== undefined && <p class="trouble">{error}</p>}
      <div class="scroll" ref={box}>
        {value !== undefined && rows.length === 0 ? (
          <NoCalls list={value} />
        ) : (
          <table class="rows">
            <HeadRow
              columns={[
                ["Time"],
                ["Call", "is-wide"],
                ["From", "is-spare"],
                ["As", "is-spare"],
                ["Answer"],
                ["Took", "number is-spare"],
              ]}
            />
            <tbody>
              {rows.map((call) => (
                <CallLine key={call.id} call={call} filters={filters} isChosen={String(call.id) === chosen} />
              ))}
            </tbody>
          </table>
        )}
        <OlderRows filters={filters} hasOlder={value?.hasOlder ?? false} last={rows.at(-1)?.id} />
      </div>
    </>
  );
}

function CallLine({ call, filters, isChosen }: { call: CallRow; filters: Filters; isChosen: boolean }) {
  const { id, atMs, method, path, onBehalfOf, who, durationMs, code, fault, kind } = call;
  const end = endOf(call);
  return (
    <tr class={isChosen ? "is-chosen" : undefined}>
      <td>
        <Time ms={atMs} />
      </td>
      <td class="is-wide">
        <a class="row-link" href={filters.hash(String(id))} aria-current={isChosen ? "true" : undefined}>
          <code>
            <b>{kind === "question" ? "ASK" : method}</b> {path}
          </code>
        </a>
        {(code ?? fault) !== undefined && <span class="toned is-bad small">{code ?? fault}</span>}
      </td>
      <td class="soft is-spare">{callerWords[who]}</td>
      <td class="is-spare">{onBehalfOf ?? ""}</td>
      <td>
        <Badge tone={end.tone}>{end.word}</Badge>
      </td>
      <td class="number is-spare">{spanOf(durationMs)}</td>
    </tr>
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

interface CallFiltersProps {
  filters: Filters;
  list: CallList | undefined;
  children: ComponentChildren;
}

function CallFilters({ filters, list, children }: CallFiltersProps) {
  const choose = (name: string) => (value: string | undefined) => filters.set({ [name]: value });
  const linked = [
    ["operation", filters.get("operation"), { operation: undefined }],
    ["journey", filters.get("key") ?? filters.get("trace"), { key: undefined, trace: undefined }],
  ] as const;
  return (
    <search class="bar" aria-label="Calls">
      <SearchBox
        label="Search calls"
        placeholder="Path, operation, user, body …"
        value={filters.get("text") ?? ""}
        onSearch={(text) => filters.set({ text })}
      />
      <FilterSelect
        label="Answer"
        all="Any answer"
        value={filters.get("status")}
        options={statuses}
        onChoose={choose("status")}
      />
      <FilterSelect
        label="From"
        all="From any caller"
        value={filters.get("who")}
        options={["function", "console", "other", "platform"]}
        onChoose={choose("who")}
      />
      <FilterSelect
        label="As user"
        all="As any user"
        value={filters.get("user")}
        options={list?.users ?? []}
        onChoose={choose("user")}
      />
      <AppFilter filters={filters} />
      {linked.map(
        ([name, value, remove]) =>
          value !== undefined && (
            <Chip key={name} name={name} onRemove={() => filters.set(remove)}>
              {name}: {value}
            </Chip>
          ),
      )}
      {children}
      {list !== undefined && (
        <span class="soft is-end">
          {list.matching} of {list.kept}
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
