import { useEffect, useRef } from "preact/hooks";
import type { JourneyList, JourneyRow } from "../../../api/journeys.ts";
import { VerdictBadge, verdicts } from "../../parts/badge.tsx";
import { Empty } from "../../parts/empty.tsx";
import { spanOf, Time } from "../../parts/time.tsx";

export function JourneyRows({
  list,
  selected,
  hrefOf,
  isFiltered,
}: {
  list: JourneyList;
  selected: string | undefined;
  hrefOf: (id: string) => string;
  isFiltered: boolean;
}) {
  const current = useRef<HTMLAnchorElement>(null);
  useEffect(() => current.current?.scrollIntoView({ block: "nearest" }), [selected]);
  if (list.rows.length === 0) {
    return isFiltered ? (
      <Empty title="No matching journey">Remove a filter, or change the search.</Empty>
    ) : (
      <Empty title="No deliveries yet">
        Write a message in <a href="#/chat">Chat</a>, or send an event from <a href="#/try">Try</a>.
      </Empty>
    );
  }
  return (
    <ol class="journeys-rows" aria-label="Journeys">
      {list.rows.map((row) => (
        <li key={row.id}>
          <a
            ref={row.id === selected ? current : null}
            href={hrefOf(row.id)}
            aria-current={row.id === selected ? "true" : undefined}
            class={`entry journeys-row is-${verdicts[row.verdict].tone}`}
          >
            <RowWords row={row} />
          </a>
        </li>
      ))}
    </ol>
  );
}

function RowWords({ row }: { row: JourneyRow }) {
  const { why, trigger, actor, conversation, text, atMs, tookMs, tries, status, from } = row;
  return (
    <>
      <span class="row">
        <strong>{trigger === "" ? "no event" : trigger}</strong>
        <VerdictBadge of={row} />
        <Time ms={atMs} />
      </span>
      <span class="journeys-row-facts">
        {actor !== undefined && <span>{actor}</span>}
        {conversation !== undefined && <span class="soft">in {conversation}</span>}
        {from === "elsewhere" && <span class="soft">from elsewhere</span>}
        {text !== undefined && (
          <q class="soft" dir="auto">
            {text}
          </q>
        )}
      </span>
      <span class="journeys-row-facts soft small">
        <span>{why}</span>
        <span class="number">
          {tries > 1 || (status !== undefined && status >= 300) ? `${status ?? "no answer"} × ${tries}` : ""}{" "}
          {tookMs === undefined ? "" : spanOf(tookMs)}
        </span>
      </span>
    </>
  );
}
