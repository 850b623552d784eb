import { useEffect, useState } from "preact/hooks";
import type { Topic } from "../../api/notices.ts";

const listeners = new Map<(topics: readonly Topic[] | "all") => void, readonly Topic[]>();
const watchers = new Set<(isConnected: boolean) => void>();
/** Browsers open at most six connections to a server, so the pages share one stream. */
const channel = new BroadcastChannel("notices");
let isWaiting = false;
let isConnected = true;

interface Notice {
  readonly isConnected: boolean;
  readonly topics: readonly Topic[] | "all";
}

/** Calls `listener` when one of the topics may have changed, and after each reconnect. */
export function listen(topics: readonly Topic[], listener: () => void): () => void {
  const hear = (changed: readonly Topic[] | "all") => {
    if (changed === "all" || changed.some((topic) => topics.includes(topic))) listener();
  };
  listeners.set(hear, topics);
  connect();
  return () => void listeners.delete(hear);
}

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
  if (isWaiting) return;
  isWaiting = true;
  channel.addEventListener("message", ({ data }) => hear(data));
  // The page that holds the lock listens for all; another one takes over when it closes.
  void navigator.locks.request("notices", () => {
    openStream();
    return new Promise(() => {});
  });
}

function openStream(): void {
  const source = new EventSource("/api/notices");
  source.addEventListener("message", ({ data }) => spread({ isConnected: true, topics: JSON.parse(data) }));
  // Earlier changes were missed.
  source.addEventListener("open", () => spread({ isConnected: true, topics: "all" }));
  source.addEventListener("error", () => {
    spread({ isConnected: false, topics: [] });
    if (source.readyState === EventSource.CLOSED) setTimeout(openStream, 1_000);
  });
}

function spread(notice: Notice): void {
  channel.postMessage(notice);
  hear(notice);
}

function hear({ isConnected, topics }: Notice): void {
  setConnected(isConnected);
  tell(topics);
}

function tell(topics: readonly Topic[] | "all"): void {
  for (const listener of [...listeners.keys()]) listener(topics);
}

function setConnected(value: boolean): void {
  isConnected = value;
  for (const watcher of watchers) watcher(value);
}
