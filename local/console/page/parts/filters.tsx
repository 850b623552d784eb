import type { ComponentChildren } from "preact";
import { go, toHash, useRoute } from "./route.ts";
import { useTyped } from "./use-typed.ts";

export interface Filters {
  /** A filter's value in the address; undefined for none. */
  get(name: string): string | undefined;
  /** Sets filters; none of the others changes, but the list begins with its newest again. `keeps` the way back. */
  set(changes: Readonly<Record<string, string | undefined>>, options?: { readonly keeps: boolean }): void;
  /** The address of what is chosen, or of nothing, with the same filters. */
  hash(...rest: readonly string[]): string;
  /** The filters as the query of a request: these names alone. */
  query(names: readonly string[]): string;
}

/** Names in the address that every list has: the row before which it begins. */
export const filterNames = { before: "before" } as const;

/** Reads and writes the filters of a view in the address. */
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

/** A field for a search without a name above it, which begins when no letter has come for a moment. */
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

/** A choice among some values, with a word for all of them. */
export function FilterSelect({
  label,
  all,
  value,
  options,
  onChoose,
}: {
  label: string;
  /** What stands for no choice. */
  all: string;
  value: string | undefined;
  options: readonly (string | readonly [value: string, words: string])[];
  onChoose: (value: string | undefined) => void;
}) {
  const known = options.map((option) => (typeof option === "string" ? ([option, option] as const) : option));
  // What the address names stays a choice, also when nothing has it at present.
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

/** A filter that came with a link, and the way to be rid of it. */
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
      <span>{children}</span>
      <button type="button" class="quiet" aria-label={`Remove the filter ${name}`} onClick={onRemove}>
        ×
      </button>
    </span>
  );
}
