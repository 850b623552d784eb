import type { FlowCancelled, FlowDetail, FlowEventDraft, FlowWait } from "../../../api/flows.ts";
import type { JourneyList } from "../../../api/journeys.ts";
import { ask, send } from "../../parts/ask.ts";
import { Button, notifyDone } from "../../parts/button.tsx";
import { DialogButton, Form } from "../../parts/dialog.tsx";
import { SourceLink } from "../../parts/facts.tsx";
import { TextField } from "../../parts/field.tsx";
import { write } from "../../parts/json/field-types.ts";
import { go, toHash } from "../../parts/route.ts";
import { useNow } from "../../parts/stack-clock.tsx";
import { Facts, spanOf, Time, Trouble, toIn } from "../../parts/texts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { JourneyLinks } from "../journeys/journey-links.tsx";
import { moveClock } from "../stack/clock-part.tsx";
import { pack } from "../try/share.ts";
import { StateBadge, Steps, Value } from "./steps.tsx";

export function FlowPage({ id }: { id: string }) {
  const path = `/api/flows/${encodeURIComponent(id)}`;
  const { value: flow, error: failure, reload } = useResource<FlowDetail>(path, ["flows", "reload"]);
  const query = new URLSearchParams({ search: id });
  const events = useResource<JourneyList>(`/api/journeys?${query}`, ["journeys"]).value;
  if (flow === undefined) return <Trouble error={failure} />;
  const { appId, state, startedAtMs, endedAtMs, causedBy, listensFor, waits, error, place, steps } = flow;
  const { restartedAs } = flow;
  return (
    <section class="stack" aria-label={`Flow ${flow.flow}`}>
      <header>
        <h2 class="code">{flow.flow}</h2>
        <p class="soft code">{id}</p>
        <JourneyLinks label="Events that started or woke it" links={events?.rows.slice(0, 20) ?? []} />
        <div class="buttons">
          <StateBadge state={state} isWaiting={waits.length > 0} />
          {state === "running" && <Cancel flow={flow} path={path} onDone={reload} />}
        </div>
      </header>
      <Facts
        of={{
          App: appId,
          Began: <Time ms={startedAtMs} format="moment" />,
          Took: endedAtMs && spanOf(endedAtMs - startedAtMs),
          "Started by": causedBy === undefined ? "hand" : "an event",
          "May wait for": listensFor.join(", "),
          "Started again as": restartedAs && <a href={toHash("flows", [restartedAs])}>{restartedAs}</a>,
          More: <a href={toHash("log", [], { text: id })}>Log</a>,
        }}
      />
      {error && (
        <div class="trouble">
          <p>
            {error.type}: {error.message}
          </p>
          {place && <SourceLink place={place} />}
        </div>
      )}
      {waits.map((wait) => (
        <Wait key={wait.operationId ?? "invocation"} path={path} wait={wait} appId={appId} onDone={reload} />
      ))}
      <section aria-label="Steps">
        <h3>Steps</h3>
        {steps.length === 0 && <p class="soft">No step has begun yet.</p>}
        <Steps id={id} steps={steps} label="Steps" />
      </section>
      <h3>Input and result</h3>
      <Value id={id} label="Input" value={flow.input} />
      {flow.result && <Value id={id} label="Result" value={flow.result} />}
    </section>
  );
}

interface WaitProps {
  readonly path: string;
  readonly wait: FlowWait;
  readonly appId: string;
  readonly onDone: () => void;
}

function Wait({ path, wait, appId, onDone }: WaitProps) {
  const { operationId, words, untilMs, fire, event } = wait;
  const nowMs = useNow()();
  const doFire = () => send("POST", `${path}/fire`, { operationId }).then(onDone);
  const makeEvent = async () => {
    const eventPath = `${path}/events/${encodeURIComponent(operationId ?? "")}`;
    const { entry, body, unmet } = await ask<FlowEventDraft>(eventPath);
    if (unmet.length > 0) notifyDone(`Fill in: ${unmet.join(", ")}.`);
    go(toHash("try", [entry], { app: appId, body: await pack(write(body)) }));
  };
  return (
    <div class="card is-waiting">
      <div>
        <p>
          {words.charAt(0).toUpperCase() + words.slice(1)}
          {event?.conditions && (
            <>
              {" "}
              with <code>{event.conditions}</code>
            </>
          )}
        </p>
        {untilMs !== undefined && (
          <p class="soft">
            until <Time ms={untilMs} format="moment" />, {toIn(untilMs, nowMs)}
          </p>
        )}
      </div>
      <div class="buttons">
        {untilMs !== undefined && untilMs > nowMs && (
          <Button act={() => moveClock({ toMs: untilMs }).finally(onDone)}>Move the clock there</Button>
        )}
        {event && <Button act={makeEvent}>Create the event …</Button>}
        {fire && (
          <Button kind="main" act={doFire}>
            {fire === "try now" ? "Try now" : "End the wait"}
          </Button>
        )}
      </div>
    </div>
  );
}

function Cancel({ flow, path, onDone }: { flow: FlowDetail; path: string; onDone: () => void }) {
  return (
    <DialogButton kind="danger" label="Cancel …" title={`Cancel ${flow.flow}`}>
      {(close) => (
        <>
          <p>
            The flow stops at its current step. Messages that it sent are not deleted. A flow that handles
            cancellation is asked first and can clean up; cancel again to stop it immediately.
          </p>
          <Form
            label="Cancel the flow"
            kind="danger"
            act={async (get) => {
              const body = { reason: get("reason") };
              const { outcome } = await send<FlowCancelled>("POST", `${path}/cancel`, body);
              notifyDone(outcomes[outcome]);
              close();
              onDone();
            }}
            more={<Button act={close}>Keep it</Button>}
          >
            <TextField label="Reason" name="reason" hint="Shown in the flow's error." />
          </Form>
        </>
      )}
    </DialogButton>
  );
}

const outcomes: Readonly<Record<FlowCancelled["outcome"], string>> = {
  asked: "The flow was asked to end and is cleaning up.",
  stopped: "The flow is stopped.",
  over: "The flow had already ended.",
  unknown: "The flow no longer exists.",
};
