import "./journeys.css";
import type { JourneyList, JourneyRow } from "../../../api/journeys.ts";
import { FilterPills, ListView, useList } from "../../parts/list.tsx";
import { useRoute } from "../../parts/route.ts";
import type { Column } from "../../parts/table.tsx";
import { Empty, VerdictBadge, verdicts } from "../../parts/texts.tsx";
import { spanOf, Time } from "../../parts/time.tsx";
import { JourneyPane } from "./journey-detail.tsx";

const names = ["verdict", "trigger", "handler", "search", "message", "key", "queueMessage", "call"];

const columns: readonly Column<JourneyRow>[] = [
  { title: "Time", cell: ({ atMs }) => <Time ms={atMs} /> },
  {
    title: "Event",
    class: "is-wide",
    isLink: true,
    cell: ({ trigger, actor, conversation, text }) => (
      <>
        <strong>{trigger || "no event"}</strong> {actor}
        <span class="soft small clip" dir="auto">
          {text ?? conversation}
        </span>
      </>
    ),
  },
  {
    title: "Outcome",
    class: "is-wide",
    cell: (row) => (
      <>
        <VerdictBadge of={row} />
        <span class="soft small clip" title={row.why}>
          {row.why}
        </span>
      </>
    ),
  },
  {
    title: "Took",
    class: "number is-spare",
    cell: ({ tookMs }) => tookMs !== undefined && spanOf(tookMs),
  },
];

export function JourneysView() {
  const [selected] = useRoute().rest;
  const list = useList<JourneyList>("journeys", "/api/journeys", ["journeys"], names);
  const { value, filters } = list;
  const single = filters.get("message") && value?.rows.length === 1 ? value.rows[0]?.id : undefined;
  const shown = selected ?? single;
  const countOf = new Map<string, number>(value && Object.entries(value.counts));
  const choices = Object.entries(verdicts)
    .map(([name, { word }]) => [name, word, countOf.get(name) ?? 0] as const)
    .filter(([name, , count]) => count > 0 || filters.get("verdict") === name);
  return (
    <ListView
      label="Journeys"
      {...{ list, columns }}
      search={["search", "Search journeys", "Search ids, texts, errors"]}
      selects={[
        ["trigger", "Event", "every event", value?.triggers],
        ["handler", "Trigger", "every trigger", value?.handlers],
      ]}
      chips={[
        ["message", "message"],
        ["key", "event"],
        ["queueMessage", "queue message"],
        ["call", "request"],
      ]}
      isLive
      empty={
        <Empty title="No deliveries yet">
          Write a message in <a href="#/chat">Chat</a>, or send an event from <a href="#/try">Try</a>.
        </Empty>
      }
      name="Journey"
      chosen={shown}
      detail={shown && <JourneyPane key={shown} id={shown} />}
    >
      <FilterPills filters={filters} name="verdict" label="Outcome" choices={choices} />
    </ListView>
  );
}
