import type { JourneyCall, RunFailure, TriggerRunView } from "../../../api/journeys.ts";
import { SourceLink } from "../../parts/facts.tsx";
import { toHash } from "../../parts/route.ts";
import { Badge, spanOf, VerdictBadge, verdicts } from "../../parts/texts.tsx";
import { BodyView } from "../calls/calls-view.tsx";
import { FlowLinks, JourneyLinks } from "./journey-links.tsx";

export function RunCard({ run }: { run: TriggerRunView }) {
  const { tone } = verdicts[run.verdict];
  const isQuiet = run.verdict === "nothing" && run.effects.length === 0;
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
          {run.misfit?.found && ` It is “${describeFound(run.misfit.found)}”.`}
        </span>
      </p>
      {run.failure && <Failure failure={run.failure} />}
      {run.effects.length > 0 && (
        <ul aria-label={`Effects of ${run.handler}`}>
          {run.effects.map(({ name, kind, how, text, made }) => (
            <li key={`${name} ${how}`}>
              effect <code>{name}</code> {text}
              {made && (
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
    </li>
  );
}

function describeFound(found: unknown) {
  return typeof found === "string" ? found : JSON.stringify(found);
}

function Failure({ failure: { stack, source } }: { failure: RunFailure }) {
  const place = `${source?.file}:${source?.line}`;
  return (
    <div class="stack">
      {source && (
        <figure class="json journeys-source">
          <figcaption>
            <SourceLink place={place} />
          </figcaption>
          {/* biome-ignore-start lint/a11y: what scrolls must be reached by the keyboard; each failed attempt has one */}
          <div role="group" tabIndex={0} aria-label={`Source around ${place}`}>
            <pre>
              {source.lines.map(({ number, text }) => (
                <span key={number} class={number === source.line ? "is-meant" : undefined}>
                  <span class="journeys-line-number">{number}</span>
                  {`${text}\n`}
                </span>
              ))}
            </pre>
          </div>
          {/* biome-ignore-end lint/a11y: see above */}
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
          {method} {path.replace(/^\/[^/]+\/v3/, "")}
        </code>
        {onBehalfOf && <span class="soft">as {onBehalfOf}</span>}
        <span class="number soft">{spanOf(durationMs)}</span>
        {code && <code>{code}</code>}
        {fault && <Badge tone="waiting">{fault}, as planned</Badge>}
      </summary>
      <div class="stack">
        <p>
          {operation && <code>{operation}</code>}{" "}
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
