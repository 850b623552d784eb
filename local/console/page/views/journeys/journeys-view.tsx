import "./journeys.css";
import { useEffect, useRef, useState } from "preact/hooks";
import type { JourneyList } from "../../../api/journeys.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { go, parseRoute, toHash, useRoute } from "../../parts/route.ts";
import { useResource } from "../../parts/use-resource.ts";
import { JourneyPane } from "./journey-detail.tsx";
import { JourneyRows } from "./journey-list.tsx";
import { type Filter, type FilterName, ListFilters } from "./list-filters.tsx";

const filterNames: readonly FilterName[] = [
  "verdict",
  "trigger",
  "handler",
  "search",
  "message",
  "key",
  "queueMessage",
  "call",
];
const pageSize = 50;
const mostRows = 200;

export function JourneysView() {
  const { rest, query } = useRoute();
  const [selected] = rest;
  const filter: Filter = Object.fromEntries(filterNames.map((name) => [name, query.get(name) ?? ""]));
  const before = query.get("before") ?? "";
  const journeys = useJourneys(filter, before);
  const { list, error } = journeys;
  const hrefOf = (id: string) => toHash("journeys", [id], { ...filter, before });
  const change = (changed: Filter) =>
    go(toHash("journeys", selected === undefined ? [] : [selected], { ...filter, ...changed }), {
      replace: "search" in changed,
    });
  useKeys(list, hrefOf);
  const single = list?.rows.length === 1 && filter.message !== "" ? list.rows[0]?.id : undefined;
  const shown = selected ?? single;
  return (
    <div class={shown === undefined ? "split journeys" : "split journeys has-detail"}>
      <section class="list column" aria-label="List of journeys">
        <ListFilters {...journeys} filter={filter} change={change} />
        <div class="scroll">
          {error !== undefined && <p class="trouble">{error}</p>}
          {before !== "" && (
            <p class="more">
              <a href={toHash("journeys", [], { ...filter })}>Back to the newest</a>
            </p>
          )}
          {list !== undefined && (
            <JourneyRows
              list={list}
              selected={shown}
              hrefOf={hrefOf}
              isFiltered={Object.values(filter).some((value) => value !== "")}
            />
          )}
          {list?.next !== undefined && (
            <Older href={toHash("journeys", [], { ...filter, before: list.next })} load={journeys.loadMore} />
          )}
        </div>
      </section>
      <section class="detail" aria-label="Journey">
        {shown === undefined ? (
          <Empty title="Choose a journey">
            Press j and k to move through the list. Each row is one delivery and its outcome.
          </Empty>
        ) : (
          <JourneyPane
            key={shown}
            id={shown}
            backHref={toHash("journeys", [], { ...filter, message: "", before })}
          />
        )}
      </section>
    </div>
  );
}

function useJourneys(filter: Filter, before: string) {
  const [limit, setLimit] = useState(pageSize);
  const [pausedAfter, setPausedAfter] = useState<number>();
  const isPaused = pausedAfter !== undefined;
  const asked = new URLSearchParams(
    Object.entries({ ...filter, before, limit: String(limit) }).filter(([, value]) => value !== ""),
  );
  const path = `/api/journeys?${asked}`;
  const { value: list, error, reload } = useResource<JourneyList>(path, ["journeys"], { isPaused });
  const newest = useResource<JourneyList>(isPaused ? `${path}&after=${pausedAfter}&limit=1` : undefined, [
    "journeys",
  ]);
  return {
    list,
    error,
    isPaused,
    newer: newest.value?.newer ?? 0,
    pause() {
      setPausedAfter(isPaused ? undefined : (list?.rows[0]?.number ?? 0));
      if (isPaused) reload();
    },
    loadMore: limit < mostRows ? () => setLimit(Math.min(mostRows, limit + pageSize)) : undefined,
  };
}

function useKeys(list: JourneyList | undefined, hrefOf: (id: string) => string) {
  const latest = useRef({ list, hrefOf });
  latest.current = { list, hrefOf };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest("input, select, textarea, dialog, [contenteditable]")) return;
      const isInList = target.closest(".journeys-rows") !== null;
      const step =
        key === "j" || (isInList && key === "ArrowDown")
          ? 1
          : key === "k" || (isInList && key === "ArrowUp")
            ? -1
            : 0;
      if (step === 0) return;
      const rows = latest.current.list?.rows ?? [];
      // After quick key presses, the address is newer than the rendered selection.
      const [selected] = parseRoute(location.hash).rest;
      const at = rows.findIndex(({ id }) => id === selected);
      const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
      if (next === undefined) return;
      event.preventDefault();
      const href = latest.current.hrefOf(next.id);
      go(href, { replace: at >= 0 });
      for (const link of document.querySelectorAll<HTMLAnchorElement>("a.journeys-row")) {
        if (link.getAttribute("href") === href) link.focus();
      }
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

function Older({ href, load }: { href: string; load: (() => void) | undefined }) {
  return (
    <p class="more">
      {load === undefined ? (
        <a href={href}>Older</a>
      ) : (
        <Button kind="quiet" act={load}>
          Load older
        </Button>
      )}
    </p>
  );
}
