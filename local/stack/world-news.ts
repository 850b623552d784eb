import type { BatchEvent } from "../cloud/event-source.ts";
import type { HttpExchange } from "../cloud/gateway/http-gateway.ts";
import type { SentMessage } from "../cloud/queue/sent-messages.ts";
import type { ReloadState } from "../cloud/reload/reload-state.ts";
import type { PlatformRecord } from "../platform/services/records.ts";

/** A live event of the local stack. */
export type WorldNews =
  | { readonly kind: "record"; readonly record: PlatformRecord }
  /** The clock has jumped, stopped or continued. */
  | { readonly kind: "clock" }
  /** The faults have changed. */
  | { readonly kind: "faults" }
  | { readonly kind: "batch"; readonly batch: BatchEvent }
  /** An answered request to the HTTP API. */
  | { readonly kind: "exchange"; readonly exchange: HttpExchange }
  /** A message that was put onto a queue. */
  | { readonly kind: "sent"; readonly sent: SentMessage }
  /** A flow was started, continued or ended. */
  | { readonly kind: "flow" }
  /** A line of a function's log. `atMs` is the machine's time. */
  | { readonly kind: "line"; readonly functionKey: string; readonly line: string; readonly atMs: number }
  /** A line of Lambda itself. */
  | {
      readonly kind: "lambdaLine";
      readonly functionKey: string;
      readonly line: string;
      readonly atMs: number;
    }
  /** An edit of the functions' source, and its result. */
  | { readonly kind: "reload"; readonly state: ReloadState }
  | {
      readonly kind: "invocation";
      readonly functionKey: string;
      /** AWS's id of the invocation. */
      readonly requestId: string;
      readonly durationMs: number;
      readonly hasFailed: boolean;
    };

/** Passes news to subscribers. */
export interface NewsBus {
  tell(news: WorldNews): void;
  /** Adds a listener and returns the function that removes it. */
  subscribe(listener: (news: WorldNews) => void): () => void;
}

export function createNewsBus(): NewsBus {
  const listeners = new Set<(news: WorldNews) => void>();
  return {
    tell(news) {
      for (const listener of listeners) listener(news);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
