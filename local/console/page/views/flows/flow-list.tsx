import { useEffect, useState } from "preact/hooks";
import { type FlowRow, type FlowList as Flows, flowStates } from "../../../api/flows.ts";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { HeadRow } from "../../parts/head-row.tsx";
import { go, toHash } from "../../parts/route.ts";
import { Time } from "../../parts/time.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { useNow } from "../../parts/world-clock.tsx";
import { awayFrom, longSpanOf, StateBadge } from "./flow-words.tsx";

type Filter = Readonly<Record<string, string | undefined>>;

export function FlowList({ query, chosen }: { query: URLSearchParams; chosen: string | undefined }) {
  const filter: Filter = Object.fromEntries(
    ["state", "flow", "app", "search"].map((name) => [name, query.get(name) ?? undefined]),
  );
  const path = `/api/flows?${new URLSearchParams(withoutEmpty(filter))}`;
  const { value, error } = useResource<Flows>(path, ["flows", "reload"]);
  const [older, setOlder] = useState<readonly FlowRow[]>([]);
  const [next, setNext] = useState<string>();
  useEffect(() => {
    setOlder([]);
    setNext(undefined);
  }, [path]);
  const more = async (before: string) => {
    const answer = await ask<Flows>(`${path}&before=${encodeURIComponent(before)}`);
    setOlder([...older, ...answer.rows]);
    setNext(answer.next ?? "");
  };

  const shown = value === undefined ? [] : merge(value.rows, older);
  const behind = next ?? value?.next ?? "";
  const total = value === undefined ? 0 : Object.values(value.counts).reduce((sum, count) => sum + count, 0);
  return (
    <section class="column" aria-label="All flows">
      <header class="bar">
        <StateFilter filter={filter} value={value} total={total} />
        <OtherFilters filter={filter} value={value} />
      </header>
      {error !== undefined && <p class="trouble">{error}</p>}
      {value !== undefined && shown.length === 0 && <Nothing isFiltered={total > 0} />}
      {shown.length > 0 && (
        <div class="scroll">
          <FlowTable rows={shown} filter={filter} chosen={chosen} />
          {behind !== "" && (
            <p class="more">
              <Button act={() => more(behind)}>Load older</Button>
            </p>
          )}
        </div>
      )}
    </section>
  );
}

function FlowTable({
  rows,
  filter,
  chosen,
}: {
  rows: readonly FlowRow[];
  filter: Filter;
  chosen: string | undefined;
}) {
  return (
    <table class="rows" aria-label="Flows">
      <HeadRow columns={[["Flow"], ["State"], ["About", "is-spare"], ["Status"], ["Began", "is-spare"]]} />
      <tbody>
        {rows.map((row) => (
          <Row key={row.id} row={row} filter={filter} isChosen={row.id === chosen} />
        ))}
      </tbody>
    </table>
  );
}

function choose(filter: Filter, change: Filter, replace = false): void {
  go(toHash("flows", [], { ...filter, ...change }), { replace });
}

function StateFilter({ filter, value, total }: { filter: Filter; value: Flows | undefined; total: number }) {
  const choices = [
    { state: undefined, word: "all", count: total },
    ...flowStates.map((state) => ({ state, word: state, count: value?.counts[state] ?? 0 })),
  ];
  return (
    <div class="row pills">
      {choices.map(({ state, word, count }) => (
        <button
          key={word}
          type="button"
          aria-pressed={filter.state === state}
          onClick={() => choose(filter, { state })}
        >
          {word} {count > 0 && <span class="soft">{count}</span>}
        </button>
      ))}
    </div>
  );
}

function OtherFilters({ filter, value }: { filter: Filter; value: Flows | undefined }) {
  const optionsOf = (names: readonly string[] = []) => [
    ["", "any"] as const,
    ...names.map((name) => [name, name] as const),
  ];
  return (
    <div class="line">
      <TextField
        type="search"
        label="Search id, input and error"
        value={filter.search ?? ""}
        onInput={(search) => choose(filter, { search }, true)}
      />
      <SelectField
        label="Flow"
        value={filter.flow ?? ""}
        options={optionsOf(value?.flows)}
        onInput={(flow) => choose(filter, { flow })}
      />
      {(value?.apps.length ?? 0) > 1 && (
        <SelectField
          label="App"
          value={filter.app ?? ""}
          options={optionsOf(value?.apps)}
          onInput={(app) => choose(filter, { app })}
        />
      )}
      <a class="button" href={toHash("flows", ["start"])}>
        Start a flow
      </a>
    </div>
  );
}

function Row({ row, filter, isChosen }: { row: FlowRow; filter: Filter; isChosen: boolean }) {
  const { id, flow, appId, about, state, words, dueAtMs, startedAtMs, endedAtMs } = row;
  const now = useNow();
  return (
    <tr class={isChosen ? "is-chosen" : undefined}>
      <td>
        <a
          class="row-link"
          href={toHash("flows", [id], filter)}
          aria-current={isChosen ? "true" : undefined}
          title={id}
        >
          {flow}
        </a>
        <span class="soft small clip">{appId}</span>
      </td>
      <td>
        <StateBadge state={state} isWaiting={state === "running" && words !== "runs"} />
      </td>
      <td class="is-spare">
        <span class="clamp" title={about}>
          {about}
        </span>
      </td>
      <td>
        <span class="clamp" title={words}>
          {words}
        </span>
        {state === "running" && dueAtMs !== undefined && (
          <span class="soft small clip">{awayFrom(dueAtMs, now())}</span>
        )}
        {endedAtMs !== undefined && (
          <span class="soft small clip">after {longSpanOf(endedAtMs - startedAtMs)}</span>
        )}
      </td>
      <td class="is-spare">
        <Time ms={startedAtMs} withDate />
      </td>
    </tr>
  );
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

/** A row loaded before can also be among the newest rows, which are reloaded. */
function merge(rows: readonly FlowRow[], older: readonly FlowRow[]): readonly FlowRow[] {
  const known = new Set(rows.map(({ id }) => id));
  return [...rows, ...older.filter(({ id }) => !known.has(id))];
}

function withoutEmpty(filter: Filter): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
}
