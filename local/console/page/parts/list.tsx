import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Topic } from "../../api/notices.ts";
import type { Rows } from "../../api/rows.ts";
import { Button, CloseButton } from "./button.tsx";
import { useFacts } from "./facts.tsx";
import { type Options, Select } from "./field.tsx";
import { go, toHash, useRoute } from "./route.ts";
import { type Column, idOf, Panes, Table } from "./table.tsx";
import { Empty, Trouble } from "./texts.tsx";
import { type Resource, useResource, useSettled } from "./use-resource.ts";

/** A view's address parameters, except the chosen row. */
export interface Filters {
  get(name: string): string | undefined;
  /** Goes to the first page. */
  set(changes: Readonly<Record<string, string | undefined>>): void;
  show(page: number): void;
  hash(...rest: readonly string[]): string;
}

/** The server's list: filters and page are in the address. */
export interface List<Answer> extends Resource<Answer> {
  readonly filters: Filters;
  readonly isFiltered: boolean;
  readonly isLive: boolean;
  readonly isPaused: boolean;
  readonly newer: number;
  pause(isPaused: boolean): void;
}

/** Shows the previous rows until new ones arrive. A live list's later pages start paused. */
export function useList<Answer extends Rows<unknown>>(
  view: string,
  path: string,
  topics: readonly Topic[],
  names: readonly string[],
  { isLive = false, leastGapMs = 0 } = {},
): List<Answer> {
  const { rest, query } = useRoute();
  const all = Object.fromEntries(query);
  const asked = [...names, "page"].flatMap((name) => (all[name] ? [[name, all[name]]] : []));
  const id = `${path}?${new URLSearchParams(asked)}`;
  const live = useResource<Answer>(id, topics, { keepsValue: true, leastGapMs });
  const { value, isLoading } = live;
  const [held, hold] = useState<{ readonly id: string; readonly value: Answer }>();
  const isPaused = held?.id === id;
  const pause = (wanted: boolean) => hold(wanted && value ? { id, value } : undefined);
  useEffect(() => {
    if (isLive && query.has("page") && !isLoading) pause(true);
  }, [id, isLoading]);
  return {
    ...live,
    isLive,
    isPaused,
    pause,
    ...(isPaused && { value: held.value }),
    newer: isPaused && value ? countNewer(held.value, value) : 0,
    isFiltered: names.some((name) => query.get(name)),
    filters: {
      get: (name) => query.get(name) || undefined,
      set: (changes) => go(toHash(view, rest, { ...all, page: undefined, ...changes }), { replace: true }),
      show: (page) => go(toHash(view, rest, { ...all, page: page > 1 ? String(page) : undefined })),
      hash: (...chosen) => toHash(view, chosen, all),
    },
  };
}

/** The total of a full list is constant. */
function countNewer(held: Rows<unknown>, { rows, total }: Rows<unknown>) {
  const known = new Set(held.rows.map(idOf));
  const unknown = rows.filter((row) => !known.has(idOf(row)));
  return Math.max(unknown.length, total - held.total);
}

interface FilterBarProps {
  readonly label: string;
  readonly list: List<Rows<unknown>>;
  readonly search: readonly [name: string, label: string, placeholder: string];
  readonly selects?: readonly (readonly [
    name: string,
    label: string,
    all: string,
    options: Options | undefined,
  ])[];
  /** Filters that only links set. */
  readonly chips?: readonly (readonly [name: string, label: string])[];
  readonly hasApps?: boolean;
  /** Number of all rows, matching or not. */
  readonly kept?: number | undefined;
  readonly children?: ComponentChildren;
}

export function FilterBar({ label, list, search, selects = [], chips = [], ...more }: FilterBarProps) {
  const { filters, value, isLive, isPaused, newer, pause } = list;
  const apps = useFacts()?.apps ?? [];
  const appOptions = apps.map(({ appId, name }) => [appId, name] as const);
  const hasApps = more.hasApps === true && apps.length > 1;
  const all = hasApps ? [...selects, ["app", "App", "Any app", appOptions] as const] : selects;
  return (
    <search class="bar" aria-label={label}>
      <SearchBox filters={filters} search={search} />
      {all.map(([name, title, none, options = []]) => {
        const chosen = filters.get(name) ?? "";
        // Keeps the address's value as a choice.
        const isKnown = chosen === "" || options.flat().includes(chosen);
        return (
          <Select
            key={name}
            label={title}
            value={chosen}
            options={[["", none], ...options, ...(isKnown ? [] : [chosen])]}
            onInput={(choice) => filters.set({ [name]: choice })}
          />
        );
      })}
      {chips.map(
        ([name, title]) =>
          filters.get(name) && (
            <span key={name} class="chip">
              <span class="clip">
                {title}: {filters.get(name)}
              </span>
              <CloseButton
                label={`Remove the filter ${title}`}
                act={() => filters.set({ [name]: undefined })}
              />
            </span>
          ),
      )}
      {isLive && (
        <button type="button" aria-pressed={isPaused} onClick={() => pause(!isPaused)}>
          {isPaused ? `Resume${newer > 0 ? ` (${newer} new)` : ""}` : "Pause"}
        </button>
      )}
      {more.children}
      {value && more.kept !== undefined && (
        <span class="soft is-end">
          {value.total} of {more.kept}
        </span>
      )}
    </search>
  );
}

const typingMs = 150;

function SearchBox({ filters, search }: { filters: Filters } & Pick<FilterBarProps, "search">) {
  const [name, label, placeholder] = search;
  const value = filters.get(name) ?? "";
  const [typed, setTyped] = useState(value);
  const settled = useSettled(typed, typingMs);
  const last = useRef(value);
  useEffect(() => {
    if (value === last.current) return;
    last.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (settled !== typed || settled === value) return;
    last.current = settled;
    filters.set({ [name]: settled });
  }, [settled]);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      spellcheck={false}
      autocomplete="off"
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}

interface FilterPillsProps {
  readonly filters: Filters;
  readonly name: string;
  readonly label: string;
  readonly initial?: string;
  readonly choices: readonly (readonly [choice: string, words: string, count: number])[];
}

export function FilterPills({ filters, name, label, choices, initial }: FilterPillsProps) {
  const value = filters.get(name) ?? initial;
  return (
    <fieldset class="row pills">
      <legend class="visually-hidden">{label}</legend>
      {choices.map(([choice, words, count]) => (
        <button
          key={choice}
          type="button"
          aria-pressed={value === choice}
          onClick={() => filters.set({ [name]: value === choice ? undefined : choice })}
        >
          {words} <span class="soft number">{count}</span>
        </button>
      ))}
    </fieldset>
  );
}

interface ListViewProps<Row> extends FilterBarProps {
  readonly list: List<Rows<Row>>;
  readonly columns: readonly Column<Row>[];
  readonly keyOf?: (row: Row) => string;
  /** Shown without rows, if no filter hides them. */
  readonly empty: ComponentChildren;
  /** Name of rows that open beside the list. */
  readonly name?: string;
  /** The address before the row's key. */
  readonly base?: readonly string[];
  readonly chosen?: string | undefined;
  readonly detail?: ComponentChildren;
}

export function ListView<Row>(props: ListViewProps<Row>) {
  const { list, columns, keyOf, empty, name, base = [], chosen, detail, ...bar } = props;
  const { filters, value, error, isFiltered } = list;
  const shown = (
    <>
      <FilterBar {...bar} list={list} />
      <Trouble error={error} />
      <div class="scroll">
        <Table
          label={bar.label}
          columns={columns}
          keyOf={keyOf}
          chosen={chosen}
          rows={value?.rows}
          hrefOf={name === undefined ? undefined : (key) => filters.hash(...base, key)}
          empty={
            isFiltered ? <Empty title="Nothing matches">Remove a filter, or change the search.</Empty> : empty
          }
        />
        <ListPager list={list} kept={bar.kept} />
      </div>
    </>
  );
  if (name === undefined) return shown;
  return <Panes list={shown} detail={detail} back={filters.hash(...base)} name={name} />;
}

/** Shows nothing if the filter bar has the count. */
export function ListPager({ list: { filters, value }, kept }: Pick<FilterBarProps, "list" | "kept">) {
  if (value === undefined) return null;
  const page = Math.max(
    1,
    Math.min(Number(filters.get("page") ?? 1), Math.ceil(value.total / value.perPage)),
  );
  if (kept !== undefined && value.total <= value.perPage) return null;
  return <Pager {...value} page={page} onPage={filters.show} />;
}

interface PagerProps {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
}

export function Pager({ page, perPage, total, onPage }: PagerProps) {
  if (total === 0) return null;
  const last = Math.min(total, page * perPage);
  const shown = `${((page - 1) * perPage + 1).toLocaleString()}–${last.toLocaleString()}`;
  return (
    <nav class="more buttons" aria-label="Pages">
      <span class="soft">
        {shown} of {total.toLocaleString()}
      </span>
      {total > perPage && (
        <>
          <Button act={() => onPage(page - 1)} isDisabled={page <= 1}>
            Previous
          </Button>
          <Button act={() => onPage(page + 1)} isDisabled={last >= total}>
            Next
          </Button>
        </>
      )}
    </nav>
  );
}
