import type { JourneyCopies, JourneyDetail } from "../../../api/journeys.ts";
import { ask, send } from "../../parts/ask.ts";
import { Button, CopyButton } from "../../parts/button.tsx";
import { JsonView } from "../../parts/json/json-view.tsx";
import { go, toHash } from "../../parts/route.ts";
import { Trouble, VerdictBadge } from "../../parts/texts.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { DeliveryLinks, FlowLinks } from "./journey-links.tsx";
import { JourneySteps } from "./journey-steps.tsx";

export function JourneyPane({ id }: { id: string }) {
  const path = `/api/journeys/${encodeURIComponent(id)}`;
  const { value, error } = useResource<JourneyDetail>(path, ["journeys", "calls"]);
  return (
    <>
      <Trouble error={error} />
      {value && (
        <article class="stack" aria-labelledby="journeys-title">
          <Head journey={value} path={path} />
          <JourneySteps journey={value} />
          <h3>Body</h3>
          {value.fact.body === undefined ? (
            <p class="soft">The body is no longer kept.</p>
          ) : (
            <JsonView value={value.fact.body} label="Delivery" />
          )}
        </article>
      )}
    </>
  );
}

function Head({ journey, path }: { journey: JourneyDetail; path: string }) {
  const { row, can, fact, origin } = journey;
  const { deliveryKey, messageId, conversation, sender = "" } = fact;
  const doIt = (what: string) => async () => {
    const { message, id } = await send<{ message: string; id?: string }>("POST", `${path}/${what}`);
    notifyDone(message);
    if (id !== undefined) go(toHash("journeys", [id]));
  };
  return (
    <header class="stack">
      <h2 id="journeys-title">
        {row.trigger || "no event"} <VerdictBadge of={row} />
      </h2>
      <p class={row.verdict === "failed" ? "toned is-bad" : "soft"}>{row.why}</p>
      <p class="row soft">
        <code>{row.id}</code>
        {deliveryKey && <code>{deliveryKey}</code>}
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
        <FlowLinks ids={flowsOf(journey)} />
        {messageId !== undefined && conversation !== undefined && (
          <a href={toHash("chat", [sender, conversation], { message: messageId })}>Message in the chat</a>
        )}
        <DeliveryLinks of={deliveryKey} from="journeys" />
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

const copies = ["curl", "fixture", "test"] as const;

function Copies({ journey: { handling }, path }: { journey: JourneyDetail; path: string }) {
  const hasTest = handling.some(({ attempts }) =>
    attempts.some(({ runs }) => runs.some(({ outcome }) => outcome !== "woke-flow")),
  );
  return (
    <span class="row">
      <span class="soft">Copy as</span>
      {copies
        .filter((kind) => kind !== "test" || hasTest)
        .map((kind) => (
          <CopyButton
            key={kind}
            text={async () => (await ask<JourneyCopies>(`${path}/copies`))[kind] ?? ""}
            label={`Copy as ${kind}`}
          >
            {kind}
          </CopyButton>
        ))}
    </span>
  );
}

const origins = {
  platform: "delivered by the platform",
  elsewhere: "sent from elsewhere",
  queue: "sent to the queue",
} as const;
