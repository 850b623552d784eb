import "./journeys.css";
import type { JourneyCopies, JourneyDetail, JourneyList, JourneyRow } from "../../../api/journeys.ts";
import { ask, send } from "../../parts/ask.ts";
import { Button, CopyButton, notifyDone } from "../../parts/button.tsx";
import { AppId } from "../../parts/facts.tsx";
import { JsonView } from "../../parts/json/json-input.tsx";
import { FilterPills, ListView, useList } from "../../parts/list.tsx";
import { go, toHash, useRoute } from "../../parts/route.ts";
import type { Column } from "../../parts/table.tsx";
import { Empty, spanOf, Time, Trouble, VerdictBadge, verdicts } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { DeliveryLinks, FlowLinks } from "./journey-links.tsx";
import { JourneySteps } from "./journey-steps.tsx";

const names = [
  "verdict",
  "trigger",
  "handler",
  "search",
  "message",
  "key",
  "queueMessage",
  "call",
  "request",
];

const columns: readonly Column<JourneyRow>[] = [
  { title: "Time", cell: ({ atMs }) => <Time ms={atMs} /> },
  {
    title: "Event",
    class: "is-wide",
    isLink: true,
    cell: ({ appId, trigger, actor, conversation, text }) => (
      <>
        <strong>{trigger || "no event"}</strong> {actor} <AppId of={appId} />
        <span class="soft small clamp" dir="auto">
          {text ?? conversation}
        </span>
      </>
    ),
  },
  {
    title: "Outcome",
    class: "is-wide",
    cell: (row) => (
      <>
        <VerdictBadge of={row} />
        <span class="soft small clamp" title={row.why}>
          {row.why}
        </span>
      </>
    ),
  },
  {
    title: "Took",
    class: "number is-spare",
    cell: ({ tookMs }) => tookMs !== undefined && spanOf(tookMs),
  },
];

export function JourneysView() {
  const [selected] = useRoute().rest;
  const list = useList<JourneyList>("journeys", "/api/journeys", ["journeys"], names, {
    isLive: true,
    // The server judges up to 10,000 journeys.
    leastGapMs: 1_000,
  });
  const { value, filters } = list;
  const single = filters.get("message") && value?.rows.length === 1 ? value.rows[0]?.id : undefined;
  const shown = selected ?? single;
  const countOf = new Map<string, number>(value && Object.entries(value.counts));
  const choices = Object.entries(verdicts)
    .map(([name, { word }]) => [name, word, countOf.get(name) ?? 0] as const)
    .filter(([name, , count]) => count > 0 || filters.get("verdict") === name);
  return (
    <ListView
      label="Journeys"
      list={list}
      columns={columns}
      search={["search", "Search journeys", "Search ids, texts, errors"]}
      selects={[
        ["trigger", "Event", "every event", value?.triggers],
        ["handler", "Trigger", "every trigger", value?.handlers],
      ]}
      chips={[
        ["message", "message"],
        ["key", "event"],
        ["queueMessage", "queue message"],
        ["call", "call"],
        ["request", "caused by request"],
      ]}
      empty={
        <Empty title="No deliveries yet">
          Write a message in <a href="#/chat">Chat</a>, or send an event from <a href="#/try">Try</a>.
        </Empty>
      }
      name="Journey"
      chosen={shown}
      detail={shown && <JourneyPane key={shown} id={shown} />}
    >
      <FilterPills filters={filters} name="verdict" label="Outcome" choices={choices} />
    </ListView>
  );
}

function JourneyPane({ id }: { id: string }) {
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
          {value.event.body === undefined ? (
            <p class="soft">The body is not kept.</p>
          ) : (
            <JsonView value={value.event.body} label="Delivery" />
          )}
        </article>
      )}
    </>
  );
}

function Head({ journey, path }: { journey: JourneyDetail; path: string }) {
  const { row, can, event, origin } = journey;
  const { deliveryKey, messageId, conversation, sender = "" } = event;
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
        {event.body !== undefined && <Copies journey={journey} path={path} />}
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
