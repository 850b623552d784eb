import type { ComponentType } from "preact";
import { CallsView } from "./views/calls/calls-view.tsx";
import { ChatView } from "./views/chat/chat-view.tsx";
import { ExplorerView } from "./views/explorer/explorer-view.tsx";
import { FlowsView } from "./views/flows/flows-view.tsx";
import { JourneysView } from "./views/journeys/journeys-view.tsx";
import { LogView } from "./views/log/log-view.tsx";
import { QueuesView } from "./views/queues/queues-view.tsx";
import { StackView } from "./views/stack/stack-view.tsx";
import { TryView } from "./views/try/try-view.tsx";

type NamedView = readonly [name: string, title: string, View: ComponentType];

/** The first one opens by default. */
export const views: readonly [NamedView, ...NamedView[]] = [
  ["chat", "Chat", ChatView],
  ["journeys", "Journeys", JourneysView],
  ["queues", "Queues", QueuesView],
  ["try", "Try", TryView],
  ["api", "API explorer", ExplorerView],
  ["flows", "Flows", FlowsView],
  ["stack", "Local stack", StackView],
  ["log", "Log", LogView],
  ["calls", "Calls", CallsView],
];
