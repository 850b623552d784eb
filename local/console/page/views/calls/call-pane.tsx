import type { CallDetail, CallRow, ShownBody } from "../../../api/calls.ts";
import { Button, CopyButton } from "../../parts/button.tsx";
import { callCurl } from "../../parts/curl.ts";
import { useFacts } from "../../parts/facts.tsx";
import { JsonView } from "../../parts/json/json-view.tsx";
import { readable } from "../../parts/json/values.ts";
import type { Filters } from "../../parts/list.tsx";
import { toHash } from "../../parts/route.ts";
import { Badge, counted, Empty, Facts, type Tone } from "../../parts/texts.tsx";
import { spanOf, Time } from "../../parts/time.tsx";
import { useResource } from "../../parts/use-resource.ts";

export function CallPane({ id, filters }: { id: string; filters: Filters }) {
  const { value: call, error } = useResource<CallDetail>(`/api/calls/${encodeURIComponent(id)}`, []);
  const platformUrl = useFacts()?.addresses.platform ?? "";
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
        {kind === "request" && <CopyButton text={callCurl(call, platformUrl)}>Copy as curl</CopyButton>}
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
            <Badge tone="waiting">{fault}</Badge> planned in <a href="#/world/faults">World, Faults</a>
          </>
        ),
        "Part of": trace && [
          journeyId && <a href={toHash("journeys", [journeyId])}>the handling of an event</a>,
          " ",
          only({ trace }),
        ],
        "Set off": caused > 0 && (
          <a href={toHash("journeys", [], { call: String(requestId) })}>
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
      <a href={toHash("world", ["fidelity"], { search: operation })}>in the table</a>
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

/** Of a request or an answer. */
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
