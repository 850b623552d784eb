import type { JourneyList } from "../../../api/journeys.ts";
import type { TryEntry, TryOutcome, TrySent } from "../../../api/try.ts";
import { JsonView } from "../../parts/json/json-view.tsx";
import { readable } from "../../parts/json/values.ts";
import { toHash } from "../../parts/route.ts";
import { Badge, Empty, VerdictBadge } from "../../parts/texts.tsx";
import { spanOf, Time } from "../../parts/time.tsx";
import { useResource } from "../../parts/use-resource.ts";

export interface ShownSending extends TrySent {
  readonly id: number;
  readonly text: string;
  readonly entry: TryEntry;
}

interface SendingsProps {
  readonly sendings: readonly ShownSending[];
  readonly isQuestion: boolean;
}

export function Sendings({ sendings, isQuestion }: SendingsProps) {
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
        <Sending key={sending.id} {...sending} />
      ))}
    </ol>
  );
}

function Sending({ sent, verdict, entry }: ShownSending) {
  const [first] = sent;
  if (first === undefined) return null;
  const isQuestion = entry.kind === "question";
  const isFine = first.status === 200;
  const repeated = sent.filter((one) => one.isRepeated).length;
  return (
    <li class="card">
      <div class="row">
        <Statuses sent={sent} />
        <span class="soft">{entry.trigger}</span>
        <Time ms={first.atMs} />
      </div>
      {repeated > 0 && (
        <p class="soft">
          {sent.length === 1
            ? "The same event as before: it is accepted and handled once."
            : `${repeated} of them report an event that was sent before: each event is handled once.`}
        </p>
      )}
      {first.error !== undefined && !isFine && <p class="toned is-bad">{first.error}</p>}
      {verdict && (
        <p>
          <Badge tone={verdict.tone}>{verdict.tone === "waiting" ? "no answer" : "answer"}</Badge>{" "}
          {verdict.words}
        </p>
      )}
      {(isQuestion || !isFine) && first.answer !== "" && (
        <JsonView label="Answer" value={readable(first.answer)} />
      )}
      {!isQuestion && first.key && <JourneyOf sentKey={first.key} isOne={sent.length === 1} />}
    </li>
  );
}

function JourneyOf({ sentKey, isOne }: { sentKey: string; isOne: boolean }) {
  const query = new URLSearchParams({ key: sentKey });
  const { value } = useResource<JourneyList>(isOne ? `/api/journeys?${query}` : undefined, ["journeys"]);
  const row = value?.rows[0];
  if (!isOne) return <a href={toHash("journeys")}>Their journeys</a>;
  return (
    <div class="row">
      {row && (
        <p>
          <VerdictBadge of={row} /> {row.why}
          {row.tookMs !== undefined && <span class="soft"> after {spanOf(row.tookMs)}</span>}
        </p>
      )}
      <a href={row ? toHash("journeys", [row.id]) : toHash("journeys", [], { key: sentKey })}>Its journey</a>
      <code class="soft clip" title={`Delivery key: ${sentKey}`}>
        {sentKey}
      </code>
    </div>
  );
}

function Statuses({ sent }: { sent: readonly TryOutcome[] }) {
  const byStatus = Map.groupBy(sent, ({ status }) => status ?? "no answer");
  const durations = sent.map(({ durationMs }) => durationMs).sort((one, other) => one - other);
  const middle = spanOf(durations[Math.floor(durations.length / 2)] ?? 0);
  return (
    <>
      {[...byStatus].map(([status, { length }]) => (
        <Badge key={status} tone={status === 200 ? "good" : "bad"}>
          {length > 1 ? `${length} × ` : ""}
          {status}
        </Badge>
      ))}
      <span class="number">
        {sent.length === 1 ? middle : `${middle} in the middle, ${spanOf(durations.at(-1) ?? 0)} at most`}
      </span>
    </>
  );
}
