import type { JourneyCall, JourneyNote, RunFailure, TriggerRunView } from "../../../api/journeys.ts";
import { SourceLink } from "../../parts/facts.tsx";
import { toHash } from "../../parts/route.ts";
import { Badge, VerdictBadge, verdicts } from "../../parts/texts.tsx";
import { spanOf, Time } from "../../parts/time.tsx";
import { BodyView } from "../calls/call-pane.tsx";
import { FlowLinks, JourneyLinks } from "./journey-links.tsx";

export function RunCard({ run }: { run: TriggerRunView }) {
  const { tone } = verdicts[run.verdict];
  const isQuiet = run.verdict === "nothing" && run.effects.length === 0 && run.notes.length === 0;
  return (
    <li class={`card journeys-run is-${isQuiet && run.calls.length === 0 ? "still" : tone}`}>
      <p class="row">
        <strong>{run.handler}</strong>
        <VerdictBadge of={run} />
        {run.isShadow && <Badge>shadow</Badge>}
        {run.durationMs !== undefined && !isQuiet && (
          <span class="number soft">{spanOf(run.durationMs)}</span>
        )}
        <span class="soft">
          {run.why}
          {run.misfit?.found !== undefined && ` It is “${sayFound(run.misfit.found)}”.`}
        </span>
      </p>
      {run.failure !== undefined && <Failure failure={run.failure} />}
      {run.effects.length > 0 && (
        <ul aria-label={`Effects of ${run.handler}`}>
          {run.effects.map(({ name, kind, how, text, made }) => (
            <li key={`${name} ${how}`}>
              effect <code>{name}</code> {text}
              {made !== undefined && (
                <span class="soft">
                  , made{" "}
                  {kind === "start-flow" ? <a href={toHash("flows", [made])}>{made}</a> : <code>{made}</code>}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      <FlowLinks ids={run.woke} />
      {run.calls.map((call) => (
        <CallDetails key={call.requestId} call={call} />
      ))}
      <Notes notes={run.notes} />
    </li>
  );
}

function sayFound(found: unknown): string {
  return typeof found === "string" ? found : JSON.stringify(found);
}

function Failure({ failure: { stack, source } }: { failure: RunFailure }) {
  const place = `${source?.file}:${source?.line}`;
  return (
    <div class="stack">
      {source !== undefined && (
        <figure class="json journeys-source">
          <figcaption>
            <SourceLink place={place} />
          </figcaption>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
          <section tabIndex={0} aria-label={`Source around ${place}`}>
            <pre>
              {source.lines.map(({ number, text }) => (
                <span key={number} class={number === source.line ? "is-meant" : undefined}>
                  <span class="journeys-line-number">{number}</span>
                  {`${text}\n`}
                </span>
              ))}
            </pre>
          </section>
        </figure>
      )}
      {stack.length > 0 && (
        <details>
          <summary>Stack</summary>
          <pre class="trace">{stack.join("\n")}</pre>
        </details>
      )}
    </div>
  );
}

export function CallDetails({ call }: { call: JourneyCall }) {
  const { method, path, operation, onBehalfOf, status, code, fault, durationMs, callId, caused } = call;
  const isBad = status >= 400 || status === 0;
  return (
    <details class="journeys-call">
      <summary>
        <Badge tone={isBad ? "bad" : fault === undefined ? "good" : "waiting"}>
          {status === 0 ? "no answer" : status}
        </Badge>
        <code>
          {method} {pathAlone(path)}
        </code>
        {onBehalfOf !== undefined && <span class="soft">as {onBehalfOf}</span>}
        <span class="number soft">{spanOf(durationMs)}</span>
        {code !== undefined && <code>{code}</code>}
        {fault !== undefined && <Badge tone="waiting">{fault}, as planned</Badge>}
      </summary>
      <div class="stack">
        <p>
          {operation !== undefined && <code>{operation}</code>}{" "}
          <a href={toHash("calls", [String(callId)])}>Open in Calls</a>
        </p>
        <BodyView body={call.sent ?? forgotten} label="Sent" />
        <BodyView body={call.answer ?? forgotten} label="Answer" />
      </div>
      <JourneyLinks label="Caused" links={caused} />
    </details>
  );
}

const forgotten = { kind: "forgotten" } as const;

function pathAlone(path: string): string {
  return path.replace(/^\/[^/]+\/v3/, "");
}

export function Notes({ notes }: { notes: readonly JourneyNote[] }) {
  if (notes.length === 0) return null;
  return (
    <ul class="small" aria-label="Its log lines">
      {notes.map(({ atMs, level, message, fields }) => (
        <li key={`${atMs} ${message}`}>
          <Time ms={atMs} /> <Badge tone={tones[level] ?? "quiet"}>{level.toLowerCase()}</Badge> {message}
          {Object.keys(fields).length > 0 && <code class="soft"> {shortFields(fields)}</code>}
        </li>
      ))}
    </ul>
  );
}

const tones: Readonly<Record<string, "bad" | "waiting">> = { ERROR: "bad", WARN: "waiting" };

function shortFields(fields: Readonly<Record<string, unknown>>): string {
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
