import { useState } from "preact/hooks";
import type { FlowCancelled, FlowDetail, FlowEventDraft, FlowWait } from "../../../api/flows.ts";
import type { JourneyList } from "../../../api/journeys.ts";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { go, toHash } from "../../parts/route.ts";
import { spanOf, Time } from "../../parts/time.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { useNow } from "../../parts/world-clock.tsx";
import { JourneyLinks } from "../journeys/journey-links.tsx";
import { pack } from "../try/share.ts";
import { write } from "../try/use-draft.ts";
import { awayFrom, longSpanOf, StateBadge } from "./flow-words.tsx";
import { Steps } from "./steps.tsx";
import { Value } from "./value.tsx";

export function FlowPage({ id, query }: { id: string; query: URLSearchParams }) {
  const path = `/api/flows/${encodeURIComponent(id)}`;
  const { value: flow, error, reload } = useResource<FlowDetail>(path, ["flows", "reload"]);
  const back = toHash("flows", [], Object.fromEntries(query));
  if (flow === undefined) {
    return (
      <section class="detail is-half stack" aria-label="Flow">
        <a class="back" href={back}>
          ‹ All flows
        </a>
        {error !== undefined && <p class="trouble">{error}</p>}
      </section>
    );
  }
  return (
    <section class="detail is-half stack" aria-label={`Flow ${flow.flow}`}>
      <a class="back" href={back}>
        ‹ All flows
      </a>
      <FlowHead flow={flow} back={back} onChanged={reload} />
      <Facts flow={flow} />
      {flow.error !== undefined && (
        <div class="trouble">
          <p>
            {flow.error.type}: {flow.error.message}
          </p>
          {flow.place !== undefined && <pre>{flow.place}</pre>}
        </div>
      )}
      {flow.waits.length > 0 && (
        <section aria-label="What it waits for" class="stack">
          {flow.waits.map((wait) => (
            <Wait
              key={wait.operationId ?? "invocation"}
              id={id}
              wait={wait}
              appId={flow.appId}
              onDone={reload}
            />
          ))}
        </section>
      )}
      <section aria-label="Steps">
        <h3>Steps</h3>
        {flow.steps.length === 0 ? (
          <p class="soft">No step has begun yet.</p>
        ) : (
          <Steps id={id} steps={flow.steps} label="Steps" />
        )}
      </section>
      <section aria-label="Input and result">
        <h3>Input and result</h3>
        <Value id={id} label="Input" value={flow.input} />
        {flow.result !== undefined && <Value id={id} label="Result" value={flow.result} />}
      </section>
      <Invocations flow={flow} />
    </section>
  );
}

function FlowHead({ flow, back, onChanged }: { flow: FlowDetail; back: string; onChanged: () => void }) {
  const [isCancelling, setCancelling] = useState(false);
  return (
    <>
      <header class="row is-apart">
        <div>
          <h2 class="code">{flow.flow}</h2>
          <p class="soft code">{flow.id}</p>
          <Events id={flow.id} />
        </div>
        <div class="buttons">
          <StateBadge state={flow.state} isWaiting={flow.waits.length > 0} />
          {flow.state === "running" && (
            <Button kind="danger" act={() => setCancelling(true)}>
              Cancel …
            </Button>
          )}
          <a class="button" href={back} aria-label="Close">
            ×
          </a>
        </div>
      </header>
      {isCancelling && (
        <Cancel
          flow={flow}
          onClose={() => {
            setCancelling(false);
            onChanged();
          }}
        />
      )}
    </>
  );
}

function Events({ id }: { id: string }) {
  const query = new URLSearchParams({ search: id, limit: "20" });
  const { value } = useResource<JourneyList>(`/api/journeys?${query}`, ["journeys"]);
  return <JourneyLinks label="Events that started or woke it" links={value?.rows ?? []} />;
}

function Facts({ flow }: { flow: FlowDetail }) {
  const { appId, startedAtMs, endedAtMs, causedBy, listensFor, id } = flow;
  return (
    <dl class="facts">
      <div>
        <dt>App</dt>
        <dd>{appId}</dd>
      </div>
      <div>
        <dt>Began</dt>
        <dd>
          <Time ms={startedAtMs} withDate />
        </dd>
      </div>
      {endedAtMs !== undefined && (
        <div>
          <dt>Took</dt>
          <dd>{longSpanOf(endedAtMs - startedAtMs)}</dd>
        </div>
      )}
      <div>
        <dt>Started by</dt>
        <dd>{causedBy === undefined ? "hand" : "an event"}</dd>
      </div>
      {listensFor.length > 0 && (
        <div>
          <dt>May wait for</dt>
          <dd>{listensFor.join(", ")}</dd>
        </div>
      )}
      <div>
        <dt>More</dt>
        <dd>
          <a href={toHash("log", [], { text: id })}>Log</a>
        </dd>
      </div>
    </dl>
  );
}

interface WaitProps {
  id: string;
  wait: FlowWait;
  appId: string;
  onDone: () => void;
}

function Wait({ id, wait, appId, onDone }: WaitProps) {
  const { operationId, words, untilMs, fire, event } = wait;
  const now = useNow();
  const path = `/api/flows/${encodeURIComponent(id)}`;
  const doFire = async () => {
    await ask(`${path}/fire`, { method: "POST", body: operationId === undefined ? {} : { operationId } });
    onDone();
  };
  const moveClock = async () => {
    await ask("/api/world/clock", { method: "POST", body: { toMs: untilMs } });
    onDone();
  };
  const makeEvent = async () => {
    const { entry, body, unmet } = await ask<FlowEventDraft>(
      `${path}/events/${encodeURIComponent(operationId ?? "")}`,
    );
    if (unmet.length > 0) notifyDone(`Fill in: ${unmet.join(", ")}.`);
    go(toHash("try", [entry], { app: appId, body: await pack(write(body)) }));
  };
  const where = event?.conditions ?? "";
  return (
    <div class="card is-waiting">
      <div>
        <p>
          {sentence(words)}
          {where !== "" && (
            <>
              {" "}
              with <code>{where}</code>
            </>
          )}
        </p>
        {untilMs !== undefined && (
          <p class="soft">
            until <Time ms={untilMs} withDate />, {awayFrom(untilMs, now())}
          </p>
        )}
      </div>
      <div class="buttons">
        {untilMs !== undefined && untilMs > now() && <Button act={moveClock}>Move the clock there</Button>}
        {event !== undefined && <Button act={makeEvent}>Create the event …</Button>}
        {fire !== undefined && (
          <Button kind="main" act={doFire}>
            {fire === "try now" ? "Try now" : "End the wait"}
          </Button>
        )}
      </div>
    </div>
  );
}

function Cancel({ flow, onClose }: { flow: FlowDetail; onClose: () => void }) {
  const [reason, setReason] = useState("");
  const cancel = async () => {
    const { outcome } = await ask<FlowCancelled>(`/api/flows/${encodeURIComponent(flow.id)}/cancel`, {
      method: "POST",
      body: { reason },
    });
    notifyDone(outcomes[outcome]);
    onClose();
  };
  return (
    <Dialog title={`Cancel ${flow.flow}`} onClose={onClose}>
      <p>
        The flow stops at its current step. Messages that it sent are not deleted. A flow that handles
        cancellation is asked first and can clean up; cancel again to stop it immediately.
      </p>
      <TextField label="Reason" value={reason} onInput={setReason} hint="Shown in the flow's error." />
      <div class="buttons">
        <Button kind="danger" act={cancel}>
          Cancel the flow
        </Button>
        <Button act={onClose}>Keep it</Button>
      </div>
    </Dialog>
  );
}

const outcomes: Readonly<Record<FlowCancelled["outcome"], string>> = {
  asked: "The flow was asked to end and is cleaning up.",
  stopped: "The flow is stopped.",
  over: "The flow had already ended.",
  unknown: "The flow no longer exists.",
};

function Invocations({ flow }: { flow: FlowDetail }) {
  const { invocations } = flow;
  if (invocations.length === 0) return null;
  const failed = invocations.filter((one) => one.error !== undefined).length;
  return (
    <details>
      <summary>
        {invocations.length} {invocations.length === 1 ? "invocation" : "invocations"} of the function
        {failed > 0 && `, ${failed} of them failed`}
      </summary>
      <ol>
        {invocations.map((one) => (
          <li key={one.requestId}>
            <Time ms={one.startedAtMs} withDate />{" "}
            <span class="number">{spanOf(one.endedAtMs - one.startedAtMs)}</span>{" "}
            <a href={toHash("log", [], { request: one.requestId })}>log</a>
            {one.error !== undefined && <p class="toned is-bad">{one.error}</p>}
          </li>
        ))}
      </ol>
    </details>
  );
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
