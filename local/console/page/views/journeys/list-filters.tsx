import type { JourneyList } from "../../../api/journeys.ts";
import { verdicts } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";

export type FilterName =
  | "verdict"
  | "trigger"
  | "handler"
  | "search"
  | "message"
  | "key"
  | "queueMessage"
  | "call";

export type Filter = Partial<Readonly<Record<FilterName, string>>>;

interface ListFiltersProps {
  filter: Filter;
  list: JourneyList | undefined;
  newer: number;
  isPaused: boolean;
  change: (changed: Filter) => void;
  pause: () => void;
}

export function ListFilters({ filter, list, newer, isPaused, change, pause }: ListFiltersProps) {
  const named = (["message", "key", "queueMessage", "call"] as const).filter((name) => filter[name]);
  return (
    <search class="bar">
      <div class="row">
        <input
          type="search"
          aria-label="Search journeys"
          placeholder="Search ids, texts, errors"
          value={filter.search ?? ""}
          spellcheck={false}
          autocomplete="off"
          onInput={({ currentTarget }) => change({ search: currentTarget.value })}
        />
        <Button act={pause} isPressed={isPaused}>
          {isPaused ? (newer > 0 ? `Paused · ${newer} new` : "Paused") : "Pause"}
        </Button>
      </div>
      <VerdictFilter filter={filter} list={list} change={change} />
      <div class="row">
        <Choice
          label="Event"
          name="trigger"
          all="every event"
          filter={filter}
          change={change}
          options={list?.triggers}
        />
        <Choice
          label="Trigger"
          name="handler"
          all="every trigger"
          filter={filter}
          change={change}
          options={list?.handlers}
        />
      </div>
      {named.map((name) => (
        <p key={name} class="row is-apart">
          <span>
            {words[name]} <code>{filter[name]}</code>
          </span>
          <Button kind="quiet" act={() => change({ [name]: "" })}>
            Show all
          </Button>
        </p>
      ))}
    </search>
  );
}

function VerdictFilter({
  filter,
  list,
  change,
}: {
  filter: Filter;
  list: JourneyList | undefined;
  change: (changed: Filter) => void;
}) {
  return (
    <fieldset class="row pills">
      <legend class="visually-hidden">Outcome</legend>
      {Object.entries(verdicts).map(([name, { word }]) => {
        const count = new Map(Object.entries(list?.counts ?? {})).get(name) ?? 0;
        if (count === 0 && filter.verdict !== name) return null;
        const isOn = filter.verdict === name;
        return (
          <Button key={name} kind="quiet" isPressed={isOn} act={() => change({ verdict: isOn ? "" : name })}>
            {word} <span class="number">{count}</span>
          </Button>
        );
      })}
    </fieldset>
  );
}

const words = { message: "message", key: "event", queueMessage: "queue message", call: "request" } as const;

function Choice({
  label,
  name,
  all,
  filter,
  change,
  options = [],
}: {
  label: string;
  name: "trigger" | "handler";
  all: string;
  filter: Filter;
  change: (changed: Filter) => void;
  options: readonly string[] | undefined;
}) {
  const value = filter[name] ?? "";
  const shown = value === "" || options.includes(value) ? options : [value, ...options];
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    >
      <option value="">{all}</option>
      {shown.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </select>
  );
}
