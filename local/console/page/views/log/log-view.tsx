import "./log.css";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { LogList } from "../../../api/log.ts";
import { Button } from "../../parts/button.tsx";
import { FilterBar, type LiveList, OlderRows, useFilters, useLiveList } from "../../parts/filters.tsx";
import { Empty, Trouble } from "../../parts/texts.tsx";
import { LogLine } from "./log-line.tsx";

const names = ["text", "level", "function", "app", "key", "message", "request", "lambda"];

export function LogView() {
  const filters = useFilters("log");
  const newestOf = ({ lines }: LogList) => lines.at(-1)?.id;
  const list = useLiveList<LogList>("/api/log", ["log"], filters, { names, newestOf });
  const { value, error } = list;
  const lines = value?.lines ?? [];
  const withLambda = filters.get("lambda") === "yes";
  const tail = useTail(list, filters.get("before") !== undefined);
  return (
    <div class="column log">
      <FilterBar
        label="Log"
        {...{ filters, list, chips }}
        search={["text", "Search the log", "Text, id, field …"]}
        selects={[
          ["level", "Level", "Info and above", levels],
          ["function", "Function", "Any function", value?.functions],
        ]}
        hasApps
        counts={value && [value.matching, value.kept]}
      >
        <Button act={() => filters.set({ lambda: withLambda ? undefined : "yes" })} isPressed={withLambda}>
          Lambda's lines
        </Button>
      </FilterBar>
      <Trouble error={error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="scroll" ref={tail.box} onScroll={tail.onScroll} tabIndex={0} aria-label="Lines">
        <OlderRows filters={filters} next={value?.hasOlder ? lines[0]?.id : undefined} />
        {value !== undefined && lines.length === 0 ? (
          <NoLines list={value} />
        ) : (
          <ol>
            {lines.map((line) => (
              <LogLine key={line.id} line={line} filters={filters} onOpen={() => list.pause(true)} />
            ))}
          </ol>
        )}
      </section>
      {list.isPaused && (
        <button type="button" class="main to-end" onClick={tail.toBottom}>
          {list.newer > 0 ? `${list.newer} new ${list.newer === 1 ? "line" : "lines"} ↓` : "To the newest ↓"}
        </button>
      )}
    </div>
  );
}

const levels = [
  ["debug", "All, with debug"],
  ["warn", "Warnings and errors"],
  ["error", "Errors"],
] as const;

const chips = [
  ["key", "journey"],
  ["message", "queue message"],
  ["request", "invocation"],
] as const;

/** One line, in pixels. */
const nearPx = 24;

function useTail(list: LiveList<LogList>, isOlder: boolean) {
  const box = useRef<HTMLElement>(null);
  const { isPaused, pause, value } = list;
  const newest = value?.lines.at(-1)?.id;
  const toBottom = () => {
    const { current } = box;
    if (current !== null) current.scrollTop = current.scrollHeight;
  };
  useLayoutEffect(() => {
    if (!isPaused && !isOlder) toBottom();
  }, [newest, isPaused, isOlder, value]);
  useEffect(() => {
    // A resize must not look like scrolling.
    const observer = new ResizeObserver(() => {
      if (!isPaused && !isOlder) toBottom();
    });
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, [isPaused, isOlder]);
  const lastTop = useRef(0);
  return {
    box,
    toBottom: () => {
      pause(false);
      toBottom();
    },
    onScroll: () => {
      const { current } = box;
      if (current === null || isOlder) return;
      const isUp = current.scrollTop < lastTop.current;
      lastTop.current = current.scrollTop;
      const isAtBottom = current.scrollHeight - current.scrollTop - current.clientHeight < nearPx;
      if (isUp && !isAtBottom && !isPaused) pause(true);
    },
  };
}

function NoLines({ list }: { list: LogList }) {
  if (list.kept > 0) return <Empty title="No matching line">Remove a filter, or choose a lower level.</Empty>;
  return (
    <Empty title="No log lines yet">
      Write a message in <a href="#/chat">Chat</a> to see how it is handled.
    </Empty>
  );
}
