import type { JourneyCopies, JourneyDetail } from "../../../api/journeys.ts";
import { ask } from "../../parts/ask.ts";
import { VerdictBadge } from "../../parts/badge.tsx";
import { Button, CopyButton } from "../../parts/button.tsx";
import { JsonView } from "../../parts/json-view.tsx";
import { go, toHash } from "../../parts/route.ts";
import { notifyDone } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { JourneySteps } from "./journey-steps.tsx";
import { Waterfall } from "./waterfall.tsx";

export function JourneyPane({ id, backHref }: { id: string; backHref: string }) {
  const path = `/api/journeys/${encodeURIComponent(id)}`;
  const { value, error } = useResource<JourneyDetail>(path, ["journeys", "calls"]);
  return (
    <>
      <p class="back">
        <a href={backHref}>All journeys</a>
      </p>
      {error !== undefined && <p class="trouble">{error}</p>}
      {value !== undefined && (
        <article class="stack journeys-article" aria-labelledby="journeys-title">
          <Head journey={value} path={path} />
          <JourneySteps journey={value} />
          <section class="stack">
            <h3>Times</h3>
            <Waterfall journey={value} />
          </section>
          <section class="stack">
            <h3>Body</h3>
            {value.fact.body === undefined ? (
              <p class="soft">The body is no longer kept.</p>
            ) : (
              <JsonView value={value.fact.body} label="Delivery" />
            )}
          </section>
        </article>
      )}
    </>
  );
}

function Head({ journey, path }: { journey: JourneyDetail; path: string }) {
  const { row, can, fact, origin } = journey;
  const doIt = (what: string) => async () => {
    const { message, id } = await ask<{ message: string; id?: string }>(`${path}/${what}`, {
      method: "POST",
    });
    notifyDone(message);
    if (id !== undefined) go(toHash("journeys", [id]));
  };
  return (
    <header class="stack">
      <h2 id="journeys-title">
        {row.trigger === "" ? "no event" : row.trigger} <VerdictBadge of={row} />
      </h2>
      <p class={row.verdict === "failed" ? "toned is-bad" : "soft"}>{row.why}</p>
      <p class="row soft">
        <code>{row.id}</code>
        {fact.deliveryKey !== undefined && <code>{fact.deliveryKey}</code>}
        <span>{origins[origin.kind]}</span>
      </p>
      <div class="buttons">
        {can.handleAgain && (
          <Button kind="main" act={doIt("handle-again")}>
            Handle again
          </Button>
        )}
        {can.sendAgain && <Button act={doIt("send-again")}>Send again</Button>}
        <Copies journey={journey} path={path} />
      </div>
      <nav class="row" aria-label="See also">
        {flowsOf(journey).map((id) => (
          <a key={id} href={toHash("flows", [id])}>
            Flow {id}
          </a>
        ))}
        {fact.messageId !== undefined && fact.conversation !== undefined && (
          <a href={toHash("chat", [fact.sender ?? "", fact.conversation], { message: fact.messageId })}>
            Message in the chat
          </a>
        )}
        {fact.deliveryKey !== undefined && (
          <a href={toHash("log", [], { key: fact.deliveryKey })}>Its log lines</a>
        )}
        {fact.traceId !== undefined && <a href={toHash("calls", [], { trace: fact.traceId })}>Its calls</a>}
      </nav>
    </header>
  );
}

/** That it started or woke. */
function flowsOf({ handling }: JourneyDetail): readonly string[] {
  const runs = handling.flatMap(({ attempts }) => attempts.flatMap((attempt) => attempt.runs));
  const started = runs.flatMap(({ effects }) => effects.filter(({ kind }) => kind === "start-flow"));
  return [...new Set([...started.flatMap(({ made }) => made ?? []), ...runs.flatMap(({ woke }) => woke)])];
}

function Copies({ journey, path }: { journey: JourneyDetail; path: string }) {
  const copies = () => ask<JourneyCopies>(`${path}/copies`);
  const withPassword = async () => (await ask<{ curl: string }>(`${path}/curl`, { method: "POST" })).curl;
  const hasTest = journey.handling.some(({ attempts }) =>
    attempts.some(({ runs }) => runs.some(({ outcome }) => outcome !== "woke-flow")),
  );
  return (
    <span class="row">
      <span class="soft">Copy as</span>
      <CopyButton text={async () => (await copies()).curl} label="Copy as curl">
        curl
      </CopyButton>
      <CopyButton text={withPassword} label="Copy as curl with password">
        curl with password
      </CopyButton>
      <CopyButton text={async () => (await copies()).fixture} label="Copy as fixture">
        fixture
      </CopyButton>
      {hasTest && (
        <CopyButton text={async () => (await copies()).test ?? ""} label="Copy as test">
          test
        </CopyButton>
      )}
    </span>
  );
}

const origins = {
  platform: "delivered by the platform",
  elsewhere: "sent from elsewhere",
  queue: "sent to the queue",
} as const;
