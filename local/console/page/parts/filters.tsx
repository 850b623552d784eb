import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Topic } from "../../api/notices.ts";
import { useFacts } from "./facts.tsx";
import { Button } from "./button.tsx";
import { type Options, Select } from "./field.tsx";
import { go, toHash, useRoute } from "./route.ts";
import { type Resource, useResource, useSettled } from "./use-resource.ts";

/** What a view's address says beside the chosen row. */
export interface Filters {
  get(name: string): string | undefined;
  /** `keeps` adds a history entry. */
  set(changes: Readonly<Record<string, string | undefined>>, keeps?: boolean): void;
  hash(...rest: readonly string[]): string;
  query(names: readonly string[]): string;
}

/** The address's fields that choose the page of a list. */
const pageNames = { before: undefined, page: undefined };

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

interface FilterBarProps {
  readonly label: string;
  readonly filters: Filters;
  readonly search: readonly [name: string, label: string, placeholder: string];
  readonly selects: readonly (readonly [name: string, label: string, all: string, options: Options | undefined])[];
  /** Those that only links set. */
  readonly chips?: readonly (readonly [name: string, label: string])[];
  readonly hasApps?: boolean;
  readonly list?: LiveList<unknown>;
  /** Of the rows: that match, and of all. */
  readonly counts?: readonly [matching: number, all: number] | undefined;
  readonly children?: ComponentChildren;
}

/** Filters above a list. */
export function FilterBar({ label, filters, search, selects, chips = [], list, ...more }: FilterBarProps) {
  const apps = useFacts()?.apps ?? [];
  const appOptions = apps.map(({ appId, name }) => [appId, name] as const);
  const hasApps = more.hasApps === true && apps.length > 1;
  const all = hasApps ? [...selects, ["app", "App", "Any app", appOptions] as const] : selects;
  return (
    <search class="bar" aria-label={label}>
      <SearchBox filters={filters} search={search} />
      {all.map(([name, title, none, options = []]) => {
        const value = filters.get(name) ?? "";
        // Keeps the address's value as a choice, even if nothing has it now.
        const isKnown = value === "" || options.flat().includes(value);
        return (
          <Select
            key={name}
            label={title}
            value={value}
            options={[["", none], ...options, ...(isKnown ? [] : [value])]}
            onInput={(chosen) => filters.set({ [name]: chosen })}
          />
        );
      })}
      {chips.map(([name, title]) => {
        const value = filters.get(name);
        if (value === undefined) return null;
        return (
          <span key={name} class="chip">
            <span class="clip">
              {title}: {value}
            </span>
            <Button kind="quiet" label={`Remove the filter ${title}`} act={() => filters.set({ [name]: undefined })}>
              ×
            </Button>
          </span>
        );
      })}
      {list && <PauseButton {...list} />}
      {more.children}
      {more.counts && <span class="soft is-end">{more.counts.join(" of ")}</span>}
    </search>
  );
}

const typingMs = 150;

function SearchBox({ filters, search }: Pick<FilterBarProps, "filters" | "search">) {
  const [name, label, placeholder] = search;
  const value = filters.get(name) ?? "";
  const [typed, setTyped] = useState(value);
  const settled = useSettled(typed, typingMs);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (settled === typed && settled !== value) filters.set({ [name]: settled });
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
  /** Chosen if the address has none. */
  readonly initial?: string;
  readonly choices: readonly (readonly [choice: string, words: string, count: number])[];
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

function PauseButton({ isPaused, newer, pause }: LiveList<unknown>) {
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
        <Button act={() => show(undefined)}>Back to the newest</Button>
      )}
      {next && (
        <Button act={() => show(String(next))}>Show older rows</Button>
      )}
    </p>
  );
}

interface PagerProps {
  /** From 1. */
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
    <nav class="buttons" aria-label="Pages">
      <span class="soft">
        {shown} of {total.toLocaleString()}
      </span>
      <Button act={() => onPage(page - 1)} isDisabled={page <= 1}>
        Previous
      </Button>
      <Button act={() => onPage(page + 1)} isDisabled={last >= total}>
        Next
      </Button>
    </nav>
  );
}

/** The page is in the address. */
export function FilterPager({ filters, perPage, total }: { filters: Filters; perPage: number; total: number }) {
  const page = Number(filters.get("page") ?? 1);
  const show = (next: number) => filters.set({ page: String(next) }, true);
  return <Pager page={page} perPage={perPage} total={total} onPage={show} />;
}
