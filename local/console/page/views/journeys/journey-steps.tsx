import type { ComponentChildren } from "preact";
import type {
  Handling,
  HandlingAttempt,
  JourneyDetail,
  JourneyPlace,
  Reception,
} from "../../../api/journeys.ts";
import { Badge, type Tone, VerdictBadge, verdicts } from "../../parts/texts.tsx";
import { spanOf, Time } from "../../parts/time.tsx";
import { JourneyLinks } from "./journey-links.tsx";
import { CallDetails, Notes, RunCard } from "./run-card.tsx";

export function JourneySteps({ journey }: { journey: JourneyDetail }) {
  const { row, nextTryMs, handling, looseCalls, place } = journey;
  const from = row.atMs;
  return (
    <ol class="steps">
      <EventStep journey={journey} />
      <DeliverySteps journey={journey} />
      {nextTryMs !== undefined && (
        <Step title="Next attempt" atMs={nextTryMs} from={from} tone="waiting">
          <p>The platform will retry.</p>
        </Step>
      )}
      <ReceiverSteps journey={journey} />
      {handling.flatMap((message) => [
        ...message.attempts.map((attempt) => (
          <AttemptStep
            key={`${message.queueMessageId} ${attempt.requestId} ${attempt.number}`}
            {...{ message, attempt, from }}
          />
        )),
        message.buried !== undefined && (
          <Step
            key={`${message.queueMessageId} dead-lettered`}
            title="Dead letter"
            atMs={message.buried.atMs}
            from={from}
            tone="bad"
          >
            <p>
              <Badge tone="bad">{message.buried.reason}</Badge> {message.buried.cause}
            </p>
          </Step>
        ),
      ])}
      {looseCalls.length > 0 && (
        <Step title="Calls for this event" atMs={looseCalls[0]?.atMs ?? from} from={from} tone="plain">
          <p class="soft">No log line names the trigger that made them.</p>
          {looseCalls.map((call) => (
            <CallDetails key={call.requestId} call={call} />
          ))}
        </Step>
      )}
      {place !== undefined && <PlaceStep place={place} from={from} />}
    </ol>
  );
}

function EventStep({ journey: { row, fact, cause, sameFact } }: { journey: JourneyDetail }) {
  return (
    <Step title="What happened" atMs={row.atMs} tone="plain" from={row.atMs}>
      <p>
        {fact.sender === undefined ? "" : `${fact.sender} → `}
        {fact.conversation ?? fact.receiver ?? "no conversation"}
      </p>
      {fact.text !== undefined && (
        <blockquote dir="auto" class="journeys-text">
          {fact.text}
        </blockquote>
      )}
      <JourneyLinks label="Caused by" links={cause === undefined ? [] : [cause]} />
      <JourneyLinks label="Same event" links={sameFact} />
    </Step>
  );
}

function DeliverySteps({ journey: { row, tries, origin } }: { journey: JourneyDetail }) {
  return tries.map(({ number, atMs, durationMs, status, error }) => {
    const tone = status !== undefined && status < 300 ? "good" : "bad";
    const title = origin.kind === "platform" ? `Delivery, attempt ${number}` : "Request";
    return (
      <Step key={`attempt ${number}`} {...{ title, atMs, tone }} from={row.atMs}>
        <p>
          <Badge tone={tone}>{status ?? "no answer"}</Badge> <span class="number">{spanOf(durationMs)}</span>{" "}
          {error !== undefined && <span>{error}</span>}
        </p>
      </Step>
    );
  });
}

function ReceiverSteps({ journey: { row, received } }: { journey: JourneyDetail }) {
  return received.map(({ atMs, durationMs, status, outcome, why, queueMessageId, insteadOf }) => {
    const { tone, word } = receptions[outcome];
    return (
      <Step key={`received ${atMs}`} title="Receiver" {...{ atMs, tone }} from={row.atMs}>
        <p>
          <Badge tone={tone}>{word}</Badge> {why}{" "}
          <span class="soft">
            answered {status} in <span class="number">{spanOf(durationMs)}</span>
          </span>
        </p>
        {queueMessageId !== undefined && (
          <p class="soft">
            queue message <code>{queueMessageId}</code>
          </p>
        )}
        <JourneyLinks label="The queue has it as" links={insteadOf === undefined ? [] : [insteadOf]} />
      </Step>
    );
  });
}

function PlaceStep({ place, from }: { place: JourneyPlace; from: number }) {
  const tone = place.kind === "lane" || place.kind === "queue" ? "waiting" : "bad";
  return (
    <Step title="Now" atMs={undefined} from={from} tone={tone}>
      <p>{place.why}</p>
    </Step>
  );
}

function AttemptStep({
  message,
  attempt,
  from,
}: {
  message: Handling;
  attempt: HandlingAttempt;
  from: number;
}) {
  const { number, atMs, durationMs, waitedMs, verdict, why, runs, notes } = attempt;
  const { tone } = verdicts[verdict];
  return (
    <Step
      title={`${message.isReplay ? "Handled again" : "Consumer"}, attempt ${number}`}
      {...{ atMs, from, tone }}
    >
      <p>
        <VerdictBadge of={attempt} />{" "}
        {durationMs !== undefined && <span class="number">{spanOf(durationMs)}</span>}{" "}
        {waitedMs !== undefined && <span class="soft">after {spanOf(waitedMs)} in the queue</span>}
        {message.lane !== undefined && (
          <span class="soft">
            {" "}
            · lane <code>{message.lane}</code>
          </span>
        )}
      </p>
      {runs.length > 0 ? (
        <ul class="stack" aria-label="Triggers">
          {runs.map((run) => (
            <RunCard key={`${run.trigger} ${run.handler}`} run={run} />
          ))}
        </ul>
      ) : (
        <p class="soft">{why}</p>
      )}
      <Notes notes={notes} />
    </Step>
  );
}

const receptions: Readonly<Record<Reception["outcome"], { readonly word: string; readonly tone: Tone }>> = {
  stored: { word: "stored", tone: "good" },
  repeated: { word: "repeated", tone: "quiet" },
  quarantined: { word: "quarantined", tone: "bad" },
  refused: { word: "refused", tone: "bad" },
  answered: { word: "answered", tone: "quiet" },
};

function Step({
  title,
  atMs,
  from,
  tone,
  children,
}: {
  title: string;
  atMs: number | undefined;
  from: number;
  tone: Tone;
  children: ComponentChildren;
}) {
  return (
    <li class={`is-${tone}`}>
      <div class="row is-apart">
        <h3>{title}</h3>
        {atMs !== undefined && (
          <span class="number soft" title={new Date(atMs).toISOString()}>
            {atMs <= from ? <Time ms={atMs} /> : `+${spanOf(atMs - from)}`}
          </span>
        )}
      </div>
      {children}
    </li>
  );
}
