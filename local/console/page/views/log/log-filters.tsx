import type { LogList } from "../../../api/log.ts";
import { AppFilter, Chip, FilterSelect, type Filters, SearchBox } from "../../parts/filters.tsx";
import { type LiveList, PauseButton } from "../../parts/live-list.tsx";

export const logFilterNames = ["text", "level", "function", "app", "key", "message", "request", "lambda"];

const linked = [
  ["key", "journey"],
  ["message", "queue message"],
  ["request", "invocation"],
] as const;

export function LogFilters({ filters, list }: { filters: Filters; list: LiveList<LogList> }) {
  const choose = (name: string) => (value: string | undefined) => filters.set({ [name]: value });
  const withLambda = filters.get("lambda") === "yes";
  return (
    <search class="bar" aria-label="Log">
      <SearchBox
        label="Search the log"
        placeholder="Text, id, field …"
        value={filters.get("text") ?? ""}
        onSearch={(text) => filters.set({ text })}
      />
      <FilterSelect
        label="Level"
        all="Info and above"
        value={filters.get("level")}
        options={[
          ["debug", "All, with debug"],
          ["warn", "Warnings and errors"],
          ["error", "Errors"],
        ]}
        onChoose={choose("level")}
      />
      <FilterSelect
        label="Function"
        all="Any function"
        value={filters.get("function")}
        options={list.value?.functions ?? []}
        onChoose={choose("function")}
      />
      <AppFilter filters={filters} />
      <button
        type="button"
        aria-pressed={withLambda}
        onClick={() => filters.set({ lambda: withLambda ? undefined : "yes" })}
      >
        Lambda's lines
      </button>
      {linked.map(([name, words]) => {
        const value = filters.get(name);
        if (value === undefined) return null;
        return (
          <Chip key={name} name={words} onRemove={() => filters.set({ [name]: undefined })}>
            {words}: {value}
          </Chip>
        );
      })}
      <PauseButton list={list} />
      {list.value !== undefined && (
        <span class="soft is-end">
          {list.value.matching} of {list.value.kept}
        </span>
      )}
    </search>
  );
}
