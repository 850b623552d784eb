import type { ComponentChildren } from "preact";
import type { Handling, HandlingAttempt, JourneyDetail, Reception } from "../../../api/journeys.ts";
import { Badge, spanOf, Time, type Tone, VerdictBadge, verdicts } from "../../parts/texts.tsx";
import { JourneyLinks } from "./journey-links.tsx";
import { RunCard } from "./run-card.tsx";

interface ShownStep {
  readonly title: string;
  readonly atMs?: number | undefined;
  readonly tone: Tone;
  readonly body: ComponentChildren;
}

export function JourneySteps({ journey }: { journey: JourneyDetail }) {
  const from = journey.row.atMs;
  return (
    <ol class="steps">
      {stepsOf(journey).map(({ title, atMs, tone, body }, place) => (
        <li key={`${place} ${title}`} class={`is-${tone}`}>
          <div class="row is-apart">
            <h3>{title}</h3>
            {atMs !== undefined && (
              <span class="number soft" title={new Date(atMs).toISOString()}>
                {atMs <= from ? <Time ms={atMs} /> : `+${spanOf(atMs - from)}`}
              </span>
            )}
          </div>
          {body}
        </li>
      ))}
    </ol>
  );
}

function stepsOf(journey: JourneyDetail): readonly ShownStep[] {
  const { row, tries, origin, nextTryMs, received, handling, place } = journey;
  const isPlatform = origin.kind === "platform";
  const now = place?.kind === "lane" || place?.kind === "queue" ? "waiting" : "bad";
  return [
    { title: "What happened", atMs: row.atMs, tone: "plain", body: <Event {...journey} /> },
    ...tries.map(({ number, atMs, durationMs, status, error }): ShownStep => {
      const tone = status !== undefined && status < 300 ? "good" : "bad";
      const body = (
        <p>
          <Badge tone={tone}>{status ?? "no answer"}</Badge> <span class="number">{spanOf(durationMs)}</span>{" "}
          {error}
        </p>
      );
      return { title: isPlatform ? `Delivery, attempt ${number}` : "Request", atMs, tone, body };
    }),
    ...(nextTryMs === undefined
      ? []
      : [step("Next attempt", nextTryMs, "waiting", <p>The platform will retry.</p>)]),
    ...received.map((one) => step("Receiver", one.atMs, receptions[one.outcome], <ReceptionView {...one} />)),
    ...handling.flatMap((message) => [
      ...message.attempts.map((attempt) => {
        const title = `${message.isReplay ? "Handled again" : "Consumer"}, attempt ${attempt.number}`;
        const body = <Attempt message={message} attempt={attempt} />;
        return step(title, attempt.atMs, verdicts[attempt.verdict].tone, body);
      }),
      ...(message.deadLettered === undefined
        ? []
        : [
            step("Dead letter", message.deadLettered.atMs, "bad", <DeadLettered {...message.deadLettered} />),
          ]),
    ]),
    ...(place === undefined ? [] : [step("Now", undefined, now, <p>{place.why}</p>)]),
  ];
}

function step(title: string, atMs: number | undefined, tone: Tone, body: ComponentChildren): ShownStep {
  return { title, atMs, tone, body };
}

function Event({ event, cause, sameEvent }: JourneyDetail) {
  const { sender, conversation, receiver, text } = event;
  return (
    <>
      <p>
        {sender && `${sender} → `}
        {conversation ?? receiver ?? "no conversation"}
      </p>
      {text && (
        <blockquote dir="auto" class="journeys-text">
          {text}
        </blockquote>
      )}
      <JourneyLinks label="Caused by" links={cause === undefined ? [] : [cause]} />
      <JourneyLinks label="Same event" links={sameEvent} />
    </>
  );
}

const receptions: Readonly<Record<Reception["outcome"], Tone>> = {
  stored: "good",
  repeated: "quiet",
  quarantined: "bad",
  refused: "bad",
  answered: "quiet",
};

function ReceptionView({ durationMs, status, outcome, why, queueMessageId }: Reception) {
  return (
    <>
      <p>
        <Badge tone={receptions[outcome]}>{outcome}</Badge> {why}{" "}
        <span class="soft">
          answered {status} in <span class="number">{spanOf(durationMs)}</span>
        </span>
      </p>
      {queueMessageId && (
        <p class="soft">
          queue message <code>{queueMessageId}</code>
        </p>
      )}
    </>
  );
}

function Attempt({ message: { lane }, attempt }: { message: Handling; attempt: HandlingAttempt }) {
  const { durationMs, why, runs } = attempt;
  return (
    <>
      <p>
        <VerdictBadge of={attempt} />{" "}
        <span class="number">{durationMs !== undefined && spanOf(durationMs)}</span>{" "}
        {lane && (
          <span class="soft">
            lane <code>{lane}</code>
          </span>
        )}
      </p>
      {runs.length === 0 && <p class="soft">{why}</p>}
      <ul class="stack" aria-label="Triggers">
        {runs.map((run) => (
          <RunCard key={`${run.trigger} ${run.handler}`} run={run} />
        ))}
      </ul>
    </>
  );
}

function DeadLettered({ reason, cause }: NonNullable<Handling["deadLettered"]>) {
  return (
    <p>
      <Badge tone="bad">{reason}</Badge> {cause}
    </p>
  );
}
