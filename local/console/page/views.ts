import type { ComponentType } from "preact";
import { CallsView } from "./views/calls/calls-view.tsx";
import { ChatView } from "./views/chat/chat-view.tsx";
import { ExplorerView } from "./views/explorer/explorer-view.tsx";
import { FlowsView } from "./views/flows/flows-view.tsx";
import { JourneysView } from "./views/journeys/journeys-view.tsx";
import { LogView } from "./views/log/log-view.tsx";
import { QueuesView } from "./views/queues/queues-view.tsx";
import { TryView } from "./views/try/try-view.tsx";
import { WorldView } from "./views/world/world-view.tsx";

interface NamedView {
  readonly name: string;
  readonly title: string;
  readonly View: ComponentType;
}

/** The first one opens by default. */
export const views: readonly [NamedView, ...NamedView[]] = [
  { name: "chat", title: "Chat", View: ChatView },
  { name: "journeys", title: "Journeys", View: JourneysView },
  { name: "queues", title: "Queues", View: QueuesView },
  { name: "try", title: "Try", View: TryView },
  { name: "api", title: "API explorer", View: ExplorerView },
  { name: "flows", title: "Flows", View: FlowsView },
  { name: "world", title: "World", View: WorldView },
  { name: "log", title: "Log", View: LogView },
  { name: "calls", title: "Calls", View: CallsView },
];
