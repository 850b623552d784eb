import { useEffect, useRef, useState } from "preact/hooks";
import type { Topic } from "../../api/notices.ts";
import { useFacts } from "./facts.tsx";
import { type Options, Select } from "./field.tsx";
import { go, toHash, useRoute } from "./route.ts";
import { type Resource, useResource } from "./use-resource.ts";

/** What a view's address says beside the chosen row. */
export interface Filters {
  get(name: string): string | undefined;
  /** `keeps` adds a history entry. */
  set(changes: Readonly<Record<string, string | undefined>>, keeps?: boolean): void;
  hash(...rest: readonly string[]): string;
  query(names: readonly string[]): string;
}

/** The address's fields that choose the page of a list. */
const pageNames = { before: undefined, page: undefined, skip: undefined };

export function useFilters(view: string): Filters {
  const { rest, query } = useRoute();
  const all = Object.fromEntries(query);
  return {
    get: (name) => query.get(name) || undefined,
    set: (changes, keeps = false) =>
      go(toHash(view, rest, { ...all, ...pageNames, ...changes }), { replace: !keeps }),
    hash: (...chosen) => toHash(view, chosen, all),
    query: (names) =>
      String(new URLSearchParams(names.flatMap((name) => (all[name] ? [[name, all[name]]] : [])))),
  };
}

interface FilterProps {
  readonly filters: Filters;
  readonly name: string;
  readonly label: string;
}

const typingMs = 150;

export function SearchBox({ filters, name, label, placeholder }: FilterProps & { placeholder: string }) {
  const value = filters.get(name) ?? "";
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const latest = useRef(filters);
  latest.current = filters;
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      spellcheck={false}
      autocomplete="off"
      onInput={({ currentTarget: { value: text } }) => {
        setTyped(text);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => latest.current.set({ [name]: text }), typingMs);
      }}
    />
  );
}

interface FilterSelectProps extends FilterProps {
  /** Words for no choice. */
  readonly all: string;
  readonly options: Options | undefined;
}

export function FilterSelect({ filters, name, label, all, options = [] }: FilterSelectProps) {
  const value = filters.get(name) ?? "";
  // Keeps the address's value as a choice, even if nothing has it now.
  const isKnown = value === "" || options.flat().includes(value);
  return (
    <Select
      label={label}
      value={value}
      options={[["", all], ...options, ...(isKnown ? [] : [value])]}
      onInput={(chosen) => filters.set({ [name]: chosen })}
    />
  );
}

export function AppFilter({ filters }: { filters: Filters }) {
  const apps = useFacts()?.apps ?? [];
  if (apps.length < 2) return null;
  const options = apps.map(({ appId, name }) => [appId, name] as const);
  return <FilterSelect filters={filters} name="app" label="App" all="Any app" options={options} />;
}

/** A filter that only links set; nothing while it is not set. */
export function FilterChip({ filters, name, label }: FilterProps) {
  const value = filters.get(name);
  if (value === undefined) return null;
  return (
    <span class="chip">
      <span class="clip">
        {label}: {value}
      </span>
      <button
        type="button"
        class="quiet"
        aria-label={`Remove the filter ${label}`}
        onClick={() => filters.set({ [name]: undefined })}
      >
        ×
      </button>
    </span>
  );
}

/** Buttons that choose, each with how many there are. */
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

interface FilterPillsProps extends FilterProps {
  /** Chosen if the address has none. */
  readonly initial?: string;
  readonly choices: readonly (readonly [choice: string, words: string, count: number])[];
}

export interface LiveList<List> extends Resource<List> {
  readonly isPaused: boolean;
  /** Rows added since it was paused. */
  readonly newer: number;
  pause(isPaused: boolean): void;
}

/** It is live unless it is paused. Shows the previous rows until new ones arrive. */
export function useLiveList<List extends { readonly newer: number }>(
  path: string,
  topics: readonly Topic[],
  filters: Filters,
  { names, newestOf }: { names: readonly string[]; newestOf: (list: List) => number | undefined },
): LiveList<List> {
  const [isPaused, pause] = useState(false);
  const newest = useRef(0);
  const found = useResource<List>(`${path}?${filters.query([...names, "before"])}`, topics, {
    isPaused,
    keepsValue: true,
  });
  if (found.value !== undefined && !isPaused) newest.current = newestOf(found.value) ?? 0;
  const since = useResource<List>(
    isPaused ? `${path}?${filters.query(names)}&limit=1&after=${newest.current}` : undefined,
    topics,
  );
  return {
    ...found,
    isPaused,
    newer: since.value?.newer ?? 0,
    pause(wanted) {
      pause(wanted);
      if (!wanted) found.reload();
    },
  };
}

export function PauseButton({ list: { isPaused, newer, pause } }: { list: LiveList<unknown> }) {
  return (
    <button type="button" aria-pressed={isPaused} onClick={() => pause(!isPaused)}>
      {isPaused ? `Resume${newer > 0 ? ` (${newer} new)` : ""}` : "Pause"}
    </button>
  );
}

interface OlderRowsProps {
  readonly filters: Filters;
  /** `before` of the next rows; undefined if there are none. */
  readonly next: number | string | undefined;
}

export function OlderRows({ filters, next }: OlderRowsProps) {
  const isOlder = filters.get("before") !== undefined;
  if (!isOlder && next === undefined) return null;
  const show = (before: string | undefined) => filters.set({ before }, true);
  return (
    <p class="more buttons">
      {isOlder && (
        <button type="button" onClick={() => show(undefined)}>
          Back to the newest
        </button>
      )}
      {next !== undefined && (
        <button type="button" onClick={() => show(String(next))}>
          Show older rows
        </button>
      )}
    </p>
  );
}

interface PagerProps {
  /** Of the first row, from 0. */
  readonly from: number;
  readonly shown: number;
  readonly total: number;
  /** Undefined without such a page. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
}

export function Pager({ from, shown, total, previous, next }: PagerProps) {
  if (total === 0) return null;
  return (
    <nav class="buttons" aria-label="Pages">
      <span class="soft">
        {shown === 0 ? "None" : `${(from + 1).toLocaleString()}–${(from + shown).toLocaleString()}`} of{" "}
        {total.toLocaleString()}
      </span>
      <button type="button" disabled={previous === undefined} onClick={previous}>
        Previous
      </button>
      <button type="button" disabled={next === undefined} onClick={next}>
        Next
      </button>
    </nav>
  );
}
