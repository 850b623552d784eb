import type { CallList, CallRow } from "../../../api/calls.ts";
import { ListView, useList } from "../../parts/list.tsx";
import { useRoute } from "../../parts/route.ts";
import type { Column } from "../../parts/table.tsx";
import { Badge, Empty } from "../../parts/texts.tsx";
import { spanOf, Time } from "../../parts/time.tsx";
import { CallPane, endOf } from "./call-pane.tsx";

const names = ["text", "operation", "status", "who", "user", "app", "trace", "key"];

const columns: readonly Column<CallRow>[] = [
  { title: "Time", cell: ({ atMs }) => <Time ms={atMs} /> },
  {
    title: "Call",
    class: "is-wide",
    isLink: true,
    cell: ({ kind, method, path, code, fault }) => (
      <>
        <code>
          <b>{kind === "question" ? "ASK" : method}</b> {path}
        </code>
        {(code ?? fault) !== undefined && <span class="toned is-bad small">{code ?? fault}</span>}
      </>
    ),
  },
  { title: "From", class: "soft is-spare", cell: ({ who }) => who },
  { title: "As", class: "is-spare", cell: ({ onBehalfOf }) => onBehalfOf },
  { title: "Answer", cell: (call) => <Badge tone={endOf(call).tone}>{endOf(call).word}</Badge> },
  { title: "Took", class: "number is-spare", cell: ({ durationMs }) => spanOf(durationMs) },
];

const statuses = [
  ["failed", "not 2xx"],
  "2xx",
  "4xx",
  "5xx",
  ["none", "no answer"],
  ["fault", "with a fault"],
] as const;

export function CallsView() {
  const [id] = useRoute().rest;
  const list = useList<CallList>("calls", "/api/calls", ["calls"], names);
  return (
    <ListView
      label="Calls"
      {...{ list, columns }}
      search={["text", "Search calls", "Path, operation, user, body …"]}
      selects={[
        ["status", "Answer", "Any answer", statuses],
        ["who", "From", "From any caller", ["function", "console", "other", "platform"]],
        ["user", "As user", "As any user", list.value?.users],
      ]}
      chips={[
        ["operation", "operation"],
        ["key", "journey"],
        ["trace", "trace"],
      ]}
      hasApps
      isLive
      kept={list.value?.kept}
      empty={
        <Empty title="No calls yet">
          Write a message in <a href="#/chat">Chat</a>, or send a request with curl. It appears here
          immediately.
        </Empty>
      }
      name="Call"
      chosen={id}
      detail={id && <CallPane key={id} id={id} filters={list.filters} />}
    />
  );
}
