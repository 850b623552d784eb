import "./log.css";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { LogList, LogRow, WholeLine } from "../../../api/log.ts";
import { ask } from "../../parts/ask.ts";
import { Button, CopyButton } from "../../parts/button.tsx";
import { FilterBar, type Filters, type List, ListPager, useList } from "../../parts/list.tsx";
import { counted, Empty, Facts, Time, Trouble } from "../../parts/texts.tsx";
import { DeliveryLinks } from "../journeys/journey-links.tsx";

const names = ["text", "level", "function", "app", "key", "message", "request", "lambda"];

export function LogView() {
  const list = useList<LogList>("log", "/api/log", ["log"], names, { isLive: true });
  const { value, error, filters, isFiltered } = list;
  const withLambda = filters.get("lambda") === "yes";
  const tail = useTail(list);
  return (
    <div class="column log">
      <FilterBar
        label="Log"
        list={list}
        chips={chips}
        search={["text", "Search the log", "Text, id, field …"]}
        selects={[
          ["level", "Level", "Info and above", levels],
          ["function", "Function", "Any function", value?.functions],
        ]}
        hasApps
        kept={value?.kept}
      >
        <Button act={() => filters.set({ lambda: withLambda ? undefined : "yes" })} isPressed={withLambda}>
          Lambda's lines
        </Button>
      </FilterBar>
      <Trouble error={error} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section class="scroll" ref={tail.box} onScroll={tail.onScroll} tabIndex={0} aria-label="Lines">
        <ListPager list={list} kept={value?.kept} />
        {value?.total === 0 && (
          <Empty title={isFiltered ? "Nothing matches" : "No log lines yet"}>
            {isFiltered ? "Remove a filter, or choose a lower level." : "Write a message in Chat."}
          </Empty>
        )}
        <ol>
          {value?.rows.map((line) => (
            <LogLine key={line.id} line={line} filters={filters} onOpen={() => list.pause(true)} />
          ))}
        </ol>
      </section>
      {list.isPaused && (
        <button type="button" class="main to-end" onClick={tail.toBottom}>
          {list.newer > 0 ? `${counted(list.newer, "new line")} ↓` : "To the newest ↓"}
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

function useTail({ isPaused, pause, value, filters }: List<LogList>) {
  const box = useRef<HTMLElement>(null);
  const isOlder = filters.get("page") !== undefined;
  const toBottom = () => {
    const { current } = box;
    if (current !== null) current.scrollTop = current.scrollHeight;
  };
  useLayoutEffect(() => {
    if (isPaused || isOlder) return undefined;
    toBottom();
    // A resize must not look like scrolling.
    const observer = new ResizeObserver(toBottom);
    if (box.current !== null) observer.observe(box.current);
    return () => observer.disconnect();
  }, [isPaused, isOlder, value]);
  const lastTop = useRef(0);
  return {
    box,
    toBottom: () => {
      if (isOlder) filters.show(1);
      pause(false);
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

function LogLine({ line, filters, onOpen }: { line: LogRow; filters: Filters; onOpen: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const { atMs, functionKey, level, message, fields } = line;
  return (
    <li class={`log-line is-${level}`}>
      <details
        onToggle={({ currentTarget }) => {
          setOpen(currentTarget.open);
          if (!currentTarget.open) return;
          onOpen();
          requestAnimationFrame(() => currentTarget.scrollIntoView({ block: "nearest" }));
        }}
      >
        <summary>
          <Time ms={atMs} format="exact" /> <span class="toned">{level}</span>{" "}
          <span class="clip">{functionKey}</span>{" "}
          <span class="clamp">
            {message} <span class="soft">{factsOf(line)}</span>
          </span>
        </summary>
        {isOpen && <Opened line={line} filters={filters} />}
      </details>
      {!isOpen && level === "error" && fields.stack !== undefined && (
        <pre class="trace">{fields.stack.split("\n").slice(0, 3).join("\n")}</pre>
      )}
    </li>
  );
}

function Opened({ line, filters }: { line: LogRow; filters: Filters }) {
  const { id, functionKey, message, fields } = line;
  const { stack, ...facts } = fields;
  const { deliveryKey, queueMessageId, requestId } = facts;
  const choices = [
    ["key", deliveryKey, "this journey"],
    ["message", queueMessageId, "this queue message"],
    ["request", requestId, "this invocation"],
    ["function", functionKey, functionKey],
  ] as const;
  return (
    <div class="card">
      <p>{message}</p>
      {stack && <pre class="trace">{stack}</pre>}
      <Facts of={facts} />
      <p class="buttons">
        <DeliveryLinks of={deliveryKey} from="log" />
        {choices.map(
          ([name, value, words]) =>
            value !== undefined &&
            filters.get(name) !== value && (
              <Button key={name} kind="quiet" act={() => filters.set({ [name]: value })}>
                Only {words}
              </Button>
            ),
        )}
        <CopyButton text={async () => (await ask<WholeLine>(`/api/log/${id}`)).text}>
          Copy the line
        </CopyButton>
      </p>
    </div>
  );
}

const hidden = new Set(["stack", "lane", "laneId", "requestId", "queueMessageId", "deliveryKey"]);
const longest = 120;

function factsOf({ kind, fields }: LogRow) {
  const shown = kind === "lambda" ? [] : Object.entries(fields).filter(([name]) => !hidden.has(name));
  return shown.map(([name, value]) => `${name}=${value.slice(0, longest)}`).join("  ");
}
