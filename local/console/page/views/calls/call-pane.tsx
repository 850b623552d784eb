import type { CallDetail, ShownBody } from "../../../api/calls.ts";
import { Badge } from "../../parts/badge.tsx";
import { CopyButton } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Fact } from "../../parts/fact.tsx";
import type { Filters } from "../../parts/filters.tsx";
import { HeadRow } from "../../parts/head-row.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { toHash } from "../../parts/route.ts";
import { spanOf, Time } from "../../parts/time.tsx";
import { useFacts } from "../../parts/use-facts.ts";
import { useResource } from "../../parts/use-resource.ts";
import { callerWords, endOf } from "./call-words.ts";
import { callCurl } from "./to-curl.ts";

export function CallPane({ id, filters }: { id: string; filters: Filters }) {
  const { value: call, error } = useResource<CallDetail>(`/api/calls/${encodeURIComponent(id)}`, []);
  if (error !== undefined) return <Empty title="This call is not kept">{error}</Empty>;
  if (call === undefined) return null;
  return <Call key={id} call={call} filters={filters} />;
}

function Call({ call, filters }: { call: CallDetail; filters: Filters }) {
  const platformUrl = useFacts()?.addresses.platform ?? "";
  const { id, kind, method, path, operation, appId, onBehalfOf, durationMs, error, sent, answer } = call;
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
        {kind === "request" && (
          <CopyButton text={() => callCurl(call, platformUrl)} label="Copy as curl">
            Copy as curl
          </CopyButton>
        )}
        {kind === "request" && operation !== undefined && (
          <a href={toHash("api", [operation], { app: appId, as: onBehalfOf, call: String(id) })}>Repeat</a>
        )}
      </p>
      <CallFacts call={call} filters={filters} />
      {error !== undefined && <p class="trouble">{error}</p>}
      <h3>Sent</h3>
      <Body body={sent} label="Request body" none="No body." />
      <h3>Answered</h3>
      <Body body={answer} label="Response body" none="No body." />
    </>
  );
}

function CallFacts({ call, filters }: { call: CallDetail; filters: Filters }) {
  const { atMs, who, userAgent, onBehalfOf, operation, appId, code, fault, behaviour, trace } = call;
  const { journeyId, caused, requestId } = call;
  return (
    <dl class="facts">
      <Fact name="When">
        <Time ms={atMs} withDate />
      </Fact>
      <Fact name="From">
        {callerWords[who]}
        {userAgent !== undefined && <span class="soft"> · {userAgent}</span>}
      </Fact>
      {onBehalfOf !== undefined && <Fact name="As user">{onBehalfOf}</Fact>}
      {appId !== undefined && <Fact name="App">{appId}</Fact>}
      {operation !== undefined && (
        <Fact name="Operation">
          {operation}{" "}
          <button type="button" class="quiet" onClick={() => filters.set({ operation })}>
            only this one
          </button>
        </Fact>
      )}
      {code !== undefined && (
        <Fact name="Code">
          <code>{code}</code>
        </Fact>
      )}
      {fault !== undefined && (
        <Fact name="Fault">
          <Badge tone="waiting">{fault}</Badge> planned in <a href="#/world/faults">World, Faults</a>
        </Fact>
      )}
      {trace !== undefined && (
        <Fact name="Part of">
          {journeyId !== undefined && <a href={toHash("journeys", [journeyId])}>the handling of an event</a>}{" "}
          <button type="button" class="quiet" onClick={() => filters.set({ trace })}>
            only its calls
          </button>
        </Fact>
      )}
      {caused > 0 && requestId !== undefined && (
        <Fact name="Set off">
          <a href={toHash("journeys", [], { call: String(requestId) })}>
            {caused === 1 ? "one delivery" : `${caused} deliveries`}
          </a>
        </Fact>
      )}
      {behaviour !== undefined && <BehaviourFact behaviour={behaviour} operation={operation} />}
    </dl>
  );
}

function BehaviourFact({
  behaviour: { level, source, pages, notes },
  operation,
}: {
  behaviour: NonNullable<CallDetail["behaviour"]>;
  operation: string | undefined;
}) {
  return (
    <Fact name="Behaviour">
      <Badge tone={level === "assumed" ? "waiting" : "good"}>{level}</Badge>{" "}
      <span class="soft">{source}</span>{" "}
      <a href={toHash("world", ["fidelity"], { search: operation })}>in the table</a>
      {pages.length > 0 && (
        <ul class="row">
          {pages.map(({ title, url }) => (
            <li key={url}>
              <a href={url} target="_blank" rel="noreferrer">
                {title}
              </a>
            </li>
          ))}
        </ul>
      )}
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
    </Fact>
  );
}

function Body({ body, label, none }: { body: ShownBody; label: string; none: string }) {
  switch (body.kind) {
    case "none":
      return <p class="soft">{none}</p>;
    case "unread":
      return <p class="soft">Not read: the call was refused before, or it has no body.</p>;
    case "forgotten":
      return <p class="soft">No longer kept: newer calls replaced it.</p>;
    case "text":
      return (
        <>
          <JsonView value={parsed(body.text)} label={label} />
          {body.isCut && <p class="soft">The beginning of {body.bytes} bytes; the rest is not kept.</p>}
        </>
      );
    case "form":
      return (
        <div class="table-box">
          <table aria-label={label}>
            <HeadRow columns={[["Field"], ["Content"], ["Bytes", "number"]]} />
            <tbody>
              {body.parts.map(({ name, fileName, type, bytes, text }) => (
                <tr key={name}>
                  <td>{name}</td>
                  <td>
                    {fileName === undefined ? text : `file ${fileName}`}
                    {type !== undefined && <span class="soft"> {type}</span>}
                  </td>
                  <td class="number">{bytes}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
