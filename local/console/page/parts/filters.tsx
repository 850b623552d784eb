import type { ComponentChildren } from "preact";
import { go, toHash, useRoute } from "./route.ts";
import { useFacts } from "./use-facts.ts";
import { useTyped } from "./use-typed.ts";

export interface Filters {
  get(name: string): string | undefined;
  /** `keeps` adds a history entry. */
  set(changes: Readonly<Record<string, string | undefined>>, options?: { readonly keeps: boolean }): void;
  hash(...rest: readonly string[]): string;
  query(names: readonly string[]): string;
}

/** Start before this row. */
export const filterNames = { before: "before" } as const;

export function useFilters(view: string): Filters {
  const { rest, query } = useRoute();
  const all = Object.fromEntries(query);
  return {
    get: (name) => query.get(name) ?? undefined,
    set: (changes, { keeps } = { keeps: false }) =>
      go(toHash(view, rest, { ...all, [filterNames.before]: undefined, ...changes }), { replace: !keeps }),
    hash: (...chosen) => toHash(view, chosen, all),
    query: (names) =>
      String(new URLSearchParams(names.flatMap((name) => (all[name] ? [[name, all[name]]] : [])))),
  };
}

export function SearchBox({
  label,
  placeholder,
  value,
  onSearch,
}: {
  label: string;
  placeholder: string;
  value: string;
  onSearch: (value: string) => void;
}) {
  const [typed, type] = useTyped(value, onSearch);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      spellcheck={false}
      autocomplete="off"
      onInput={({ currentTarget }) => type(currentTarget.value)}
    />
  );
}

export function FilterSelect({
  label,
  all,
  value,
  options,
  onChoose,
}: {
  label: string;
  all: string;
  value: string | undefined;
  options: readonly (string | readonly [value: string, words: string])[];
  onChoose: (value: string | undefined) => void;
}) {
  const known = options.map((option) => (typeof option === "string" ? ([option, option] as const) : option));
  // Keeps the address's value as a choice, even if nothing has it now.
  const shown =
    value === undefined || known.some(([own]) => own === value) ? known : [...known, [value, value] as const];
  return (
    <select
      aria-label={label}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
    >
      <option value="">{all}</option>
      {shown.map(([own, words]) => (
        <option key={own} value={own}>
          {words}
        </option>
      ))}
    </select>
  );
}

export function AppFilter({ filters }: { filters: Filters }) {
  const apps = useFacts()?.apps ?? [];
  if (apps.length < 2) return null;
  return (
    <FilterSelect
      label="App"
      all="Any app"
      value={filters.get("app")}
      options={apps.map(({ appId, name }) => [appId, name])}
      onChoose={(app) => filters.set({ app })}
    />
  );
}

export function Chip({
  name,
  onRemove,
  children,
}: {
  name: string;
  onRemove: () => void;
  children: ComponentChildren;
}) {
  return (
    <span class="chip">
      <span class="clip">{children}</span>
      <button type="button" class="quiet" aria-label={`Remove the filter ${name}`} onClick={onRemove}>
        ×
      </button>
    </span>
  );
}
