import type { CallDetail, CallList, CallRow, ShownBody } from "../../../api/calls.ts";
import { Button } from "../../parts/button.tsx";
import { readable } from "../../parts/json/field-types.ts";
import { JsonView } from "../../parts/json/json-input.tsx";
import { type Filters, ListView, useList } from "../../parts/list.tsx";
import { toHash, useRoute } from "../../parts/route.ts";
import type { Column } from "../../parts/table.tsx";
import { Badge, counted, Empty, Facts, spanOf, Time, type Tone } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";

const names = ["text", "operation", "status", "who", "user", "app", "trace", "key"];

const columns: readonly Column<CallRow>[] = [
  { title: "Time", cell: ({ atMs }) => <Time ms={atMs} /> },
  {
    title: "Call",
    class: "is-wide",
    isLink: true,
    cell: ({ kind, method, path, code, fault }) => (
      <>
        <code class="clamp">
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
  const list = useList<CallList>("calls", "/api/calls", ["calls"], names, { isLive: true });
  return (
    <ListView
      label="Calls"
      list={list}
      columns={columns}
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

function CallPane({ id, filters }: { id: string; filters: Filters }) {
  const { value: call, error } = useResource<CallDetail>(`/api/calls/${encodeURIComponent(id)}`, []);
  if (error !== undefined) return <Empty title="This call is not kept">{error}</Empty>;
  if (call === undefined) return null;
  const { kind, method, path, operation, appId, onBehalfOf, durationMs, sent, answer } = call;
  const end = endOf(call);
  return (
    <>
      <h2>
        <code>
          {kind === "question" ? "ASK" : method} {path}
        </code>
      </h2>
      <p class="buttons">
        <Badge tone={end.tone}>{end.word}</Badge>
        <span class="number soft">{spanOf(durationMs)}</span>
        {kind === "request" && operation !== undefined && (
          <a href={toHash("api", [operation], { app: appId, as: onBehalfOf, call: id })}>Repeat</a>
        )}
      </p>
      <CallFacts call={call} filters={filters} />
      {call.error && <p class="trouble">{call.error}</p>}
      <h3>Sent</h3>
      <BodyView body={sent} label="Request body" />
      <h3>Answered</h3>
      <BodyView body={answer} label="Response body" />
    </>
  );
}

export function endOf({ status, fault }: Pick<CallRow, "status" | "fault">): { word: string; tone: Tone } {
  if (status === 0) return { word: fault ?? "no answer", tone: "bad" };
  if (status >= 500) return { word: String(status), tone: "bad" };
  return { word: String(status), tone: status >= 400 || fault !== undefined ? "waiting" : "good" };
}

function CallFacts({ call, filters }: { call: CallDetail; filters: Filters }) {
  const { atMs, who, userAgent, onBehalfOf, operation, appId, code, fault, trace } = call;
  const { journeyId, caused, requestId, behaviour } = call;
  const only = (filter: Readonly<Record<string, string>>) => (
    <Button kind="quiet" act={() => filters.set(filter)}>
      only these calls
    </Button>
  );
  return (
    <Facts
      of={{
        When: <Time ms={atMs} format="moment" />,
        From: userAgent === undefined ? who : `${who} · ${userAgent}`,
        "As user": onBehalfOf,
        App: appId,
        Operation: operation && [operation, " ", only({ operation })],
        Code: code && <code>{code}</code>,
        Fault: fault && (
          <>
            <Badge tone="waiting">{fault}</Badge> planned in <a href="#/stack/faults">Local stack, Faults</a>
          </>
        ),
        "Part of": trace && [
          journeyId && <a href={toHash("journeys", [journeyId])}>the handling of an event</a>,
          " ",
          only({ trace }),
        ],
        "Set off": caused > 0 && (
          <a href={toHash("journeys", [], { request: String(requestId) })}>
            {counted(caused, "delivery", "deliveries")}
          </a>
        ),
        Behaviour: behaviour && <Behaviour call={call} {...behaviour} />,
      }}
    />
  );
}

interface BehaviourProps extends NonNullable<CallDetail["behaviour"]> {
  readonly call: CallDetail;
}

function Behaviour({ call: { operation }, level, source, notes }: BehaviourProps) {
  return (
    <>
      <Badge tone={level === "assumed" ? "waiting" : "good"}>{level}</Badge>{" "}
      <span class="soft">{source}</span>{" "}
      <a href={toHash("stack", ["fidelity"], { search: operation })}>in the table</a>
      {notes.length > 0 && (
        <details>
          <summary>{notes.length} assumed</summary>
          <ul class="bullets">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

const absent = {
  none: "No body.",
  unread: "Not read: the call was refused before, or it has no body.",
  forgotten: "No longer kept: newer calls replaced it.",
};

export function BodyView({ body, label }: { body: ShownBody; label: string }) {
  switch (body.kind) {
    case "text":
      return (
        <>
          <JsonView value={readable(body.text)} label={label} />
          {body.isCut && <p class="soft">The beginning of {body.bytes} bytes; the rest is not kept.</p>}
        </>
      );
    case "form":
      return <JsonView value={body.parts} label={label} />;
    default:
      return <p class="soft">{absent[body.kind]}</p>;
  }
}
