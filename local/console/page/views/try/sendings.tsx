import type { JourneyList } from "../../../api/journeys.ts";
import type { TryEntry, TryOutcome, TrySent } from "../../../api/try.ts";
import { Badge, VerdictBadge } from "../../parts/badge.tsx";
import { Empty } from "../../parts/empty.tsx";
import { JsonView, readable } from "../../parts/json-view.tsx";
import { toHash } from "../../parts/route.ts";
import { spanOf, Time } from "../../parts/time.tsx";
import { useResource } from "../../parts/use-resource.ts";

export interface ShownSending extends TrySent {
  readonly id: number;
  readonly text: string;
  readonly entry: TryEntry;
  readonly appId: string;
}

export function Sendings({
  sendings,
  isQuestion,
}: {
  readonly sendings: readonly ShownSending[];
  readonly isQuestion: boolean;
}) {
  if (sendings.length === 0) {
    return (
      <Empty title="Nothing was sent yet">
        {isQuestion
          ? "Ask to see the answer and what the platform does with it."
          : "Send it to see the receiver's answer and the journey."}
      </Empty>
    );
  }
  return (
    <ol class="stack" aria-label="Results" aria-live="polite">
      {sendings.map((sending) => (
        <Sending key={sending.id} sending={sending} />
      ))}
    </ol>
  );
}

function Sending({ sending: { sent, verdict, entry } }: { sending: ShownSending }) {
  const [first] = sent;
  if (first === undefined) return null;
  const isQuestion = entry.kind === "question";
  return (
    <li class="card">
      <div class="row">
        {sent.length === 1 ? <Status outcome={first} /> : <Statuses sent={sent} />}
        <span class="soft">{entry.trigger}</span>
        <Time ms={first.atMs} />
      </div>
      {sent.some((one) => one.isRepeated) && (
        <p class="soft">
          {sent.length === 1
            ? "The same event as before: it is accepted and handled once."
            : `${sent.filter((one) => one.isRepeated).length} of them report an event that was sent before: each event is handled once.`}
        </p>
      )}
      {first.error !== undefined && first.status !== 200 && <p class="toned is-bad">{first.error}</p>}
      {verdict !== undefined && (
        <p>
          <Badge tone={verdict.tone}>{verdict.tone === "waiting" ? "no answer" : "answer"}</Badge>{" "}
          {verdict.words}
        </p>
      )}
      {(isQuestion || first.status !== 200) && first.answer !== "" && (
        <JsonView label="Answer" value={readable(first.answer)} />
      )}
      {!isQuestion && first.key !== undefined && (
        <JourneyOf deliveryKey={first.key} isOne={sent.length === 1} />
      )}
    </li>
  );
}

function JourneyOf({ deliveryKey, isOne }: { deliveryKey: string; isOne: boolean }) {
  const query = new URLSearchParams({ key: deliveryKey, limit: "1" });
  const { value } = useResource<JourneyList>(isOne ? `/api/journeys?${query}` : undefined, ["journeys"]);
  const row = value?.rows[0];
  return (
    <div class="row">
      {row !== undefined && (
        <p>
          <VerdictBadge of={row} /> {row.why}
          {row.tookMs !== undefined && <span class="soft"> after {spanOf(row.tookMs)}</span>}
        </p>
      )}
      <a
        href={
          row === undefined
            ? toHash("journeys", [], isOne ? { key: deliveryKey } : {})
            : toHash("journeys", [row.id])
        }
      >
        {isOne ? "Its journey" : "Their journeys"}
      </a>
      {isOne && (
        <code class="soft clip" title={`Delivery key: ${deliveryKey}`}>
          {deliveryKey}
        </code>
      )}
    </div>
  );
}

function Status({ outcome: { status, durationMs } }: { outcome: TryOutcome }) {
  return (
    <>
      <Badge tone={status === 200 ? "good" : "bad"}>{status ?? "no answer"}</Badge>
      <span class="number">{spanOf(durationMs)}</span>
    </>
  );
}

function Statuses({ sent }: { sent: readonly TryOutcome[] }) {
  const counts = new Map<string, number>();
  for (const { status } of sent) {
    const name = status === undefined ? "no answer" : String(status);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const durations = sent.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
  const middle = durations[Math.floor(durations.length / 2)] ?? 0;
  return (
    <>
      {[...counts].map(([name, count]) => (
        <Badge key={name} tone={name === "200" ? "good" : "bad"}>
          {count} × {name}
        </Badge>
      ))}
      <span class="number">
        {spanOf(middle)} in the middle, {spanOf(durations.at(-1) ?? 0)} at most
      </span>
    </>
  );
}
