import { type Bus, createBus } from "../cloud/bus.ts";
import type { BatchEvent } from "../cloud/event-source.ts";
import type { HttpExchange } from "../cloud/gateway/http-gateway.ts";
import type { EndedInvocation } from "../cloud/lambda/lambda-options.ts";
import type { SentMessage } from "../cloud/queue/sent-messages.ts";
import type { ReloadState } from "../cloud/reload/reload-state.ts";
import type { PlatformRecord } from "../platform/services/records.ts";

export type StackNews =
  | { readonly kind: "record"; readonly record: PlatformRecord }
  | { readonly kind: "clock" | "faults" | "flow" }
  | { readonly kind: "batch"; readonly batch: BatchEvent }
  | { readonly kind: "exchange"; readonly exchange: HttpExchange }
  | { readonly kind: "sent"; readonly sent: SentMessage }
  | { readonly kind: "line"; readonly functionKey: string; readonly line: string; readonly atMs: number }
  | {
      readonly kind: "lambdaLine";
      readonly functionKey: string;
      readonly line: string;
      readonly atMs: number;
    }
  | { readonly kind: "reload"; readonly state: ReloadState }
  | ({ readonly kind: "invocation"; readonly functionKey: string } & EndedInvocation);

export const createNewsBus = createBus<StackNews>;

export type NewsBus = Bus<StackNews>;
