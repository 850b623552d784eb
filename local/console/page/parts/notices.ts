import { useEffect, useState } from "preact/hooks";
import type { Topic } from "../../api/notices.ts";

const listeners = new Map<(topics: readonly Topic[] | "all") => void, readonly Topic[]>();
const watchers = new Set<(isConnected: boolean) => void>();
let source: EventSource | undefined;
let isConnected = true;

/** Calls `listener` when one of the topics may have changed, and after the connection was lost for a while. */
export function listen(topics: readonly Topic[], listener: () => void): () => void {
  const hear = (changed: readonly Topic[] | "all") => {
    if (changed === "all" || changed.some((topic) => topics.includes(topic))) listener();
  };
  listeners.set(hear, topics);
  connect();
  return () => void listeners.delete(hear);
}

/** Tells whether the page hears of news. */
export function useConnected(): boolean {
  const [value, setValue] = useState(isConnected);
  useEffect(() => {
    watchers.add(setValue);
    connect();
    return () => void watchers.delete(setValue);
  }, []);
  return value;
}

function connect(): void {
  if (source !== undefined) return;
  source = new EventSource("/api/notices");
  source.addEventListener("message", ({ data }) => tell(JSON.parse(data)));
  source.addEventListener("open", () => {
    if (!isConnected) tell("all"); // what happened meanwhile was told to nobody
    setConnected(true);
  });
  source.addEventListener("error", () => {
    setConnected(false);
    if (source?.readyState !== EventSource.CLOSED) return;
    source = undefined;
    setTimeout(connect, 1_000);
  });
}

function tell(topics: readonly Topic[] | "all"): void {
  for (const listener of [...listeners.keys()]) listener(topics);
}

function setConnected(value: boolean): void {
  isConnected = value;
  for (const watcher of watchers) watcher(value);
}
