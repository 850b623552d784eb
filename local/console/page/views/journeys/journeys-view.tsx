import "./journeys.css";
import { useEffect, useRef } from "preact/hooks";
import type { JourneyList, JourneyRow } from "../../../api/journeys.ts";
import {
  FilterBar,
  FilterPills,
  type Filters,
  OlderRows,
  useFilters,
  useLiveList,
} from "../../parts/filters.tsx";
import { useRoute } from "../../parts/route.ts";
import { Panes } from "../../parts/table.tsx";
import { Empty, Trouble, VerdictBadge, verdicts } from "../../parts/texts.tsx";
import { spanOf, Time } from "../../parts/time.tsx";
import { JourneyPane } from "./journey-detail.tsx";

const names = ["verdict", "trigger", "handler", "search", "message", "key", "queueMessage", "call"];

const chips = [
  ["message", "message"],
  ["key", "event"],
  ["queueMessage", "queue message"],
  ["call", "request"],
] as const;

export function JourneysView() {
  const [selected] = useRoute().rest;
  const filters = useFilters("journeys");
  const newestOf = ({ rows }: JourneyList) => rows[0]?.number;
  const list = useLiveList<JourneyList>("/api/journeys", ["journeys"], filters, { names, newestOf });
  const { value, error } = list;
  const single = filters.get("message") && value?.rows.length === 1 ? value.rows[0]?.id : undefined;
  const shown = selected ?? single;
  const countOf = new Map<string, number>(value && Object.entries(value.counts));
  const choices = Object.entries(verdicts)
    .map(([name, { word }]) => [name, word, countOf.get(name) ?? 0] as const)
    .filter(([name, , count]) => count > 0 || filters.get("verdict") === name);
  return (
    <Panes
      list={
        <>
          <FilterBar
            label="Journeys"
            {...{ filters, list, chips }}
            search={["search", "Search journeys", "Search ids, texts, errors"]}
            selects={[
              ["trigger", "Event", "every event", value?.triggers],
              ["handler", "Trigger", "every trigger", value?.handlers],
            ]}
          >
            <FilterPills filters={filters} name="verdict" label="Outcome" choices={choices} />
          </FilterBar>
          <Trouble error={error} />
          <div class="scroll">
            {value && <Rows list={value} filters={filters} shown={shown} />}
            <OlderRows filters={filters} next={value?.next} />
          </div>
        </>
      }
      detail={shown && <JourneyPane key={shown} id={shown} />}
      back={filters.hash()}
      name="Journey"
    />
  );
}

interface RowsProps {
  readonly list: JourneyList;
  readonly filters: Filters;
  readonly shown: string | undefined;
}

function Rows({ list: { rows }, filters, shown }: RowsProps) {
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => current.current?.scrollIntoView({ block: "nearest" }), [shown]);
  if (rows.length === 0) {
    return filters.query(names) === "" ? (
      <Empty title="No deliveries yet">
        Write a message in <a href="#/chat">Chat</a>, or send an event from <a href="#/try">Try</a>.
      </Empty>
    ) : (
      <Empty title="No matching journey">Remove a filter, or change the search.</Empty>
    );
  }
  return (
    <ol aria-label="Journeys">
      {rows.map((row) => (
        <li key={row.id}>
          <a
            ref={row.id === shown ? current : null}
            href={filters.hash(row.id)}
            aria-current={row.id === shown ? "true" : undefined}
            class={`entry row-link journeys-row is-${verdicts[row.verdict].tone}`}
          >
            <RowWords {...row} />
          </a>
        </li>
      ))}
    </ol>
  );
}

function RowWords(row: JourneyRow) {
  const { why, trigger, actor, conversation, text, atMs, tookMs, tries, status, from } = row;
  const isRetried = tries > 1 || (status !== undefined && status >= 300);
  return (
    <>
      <span class="row">
        <strong>{trigger || "no event"}</strong>
        <VerdictBadge of={row} />
        <Time ms={atMs} />
      </span>
      <span class="journeys-row-facts">
        <span>{actor}</span>
        {conversation && <span class="soft">in {conversation}</span>}
        {from === "elsewhere" && <span class="soft">from elsewhere</span>}
        {text && (
          <q class="soft" dir="auto">
            {text}
          </q>
        )}
      </span>
      <span class="journeys-row-facts soft small">
        <span>{why}</span>
        <span class="number">
          {isRetried && `${status ?? "no answer"} × ${tries}`} {tookMs !== undefined && spanOf(tookMs)}
        </span>
      </span>
    </>
  );
}
