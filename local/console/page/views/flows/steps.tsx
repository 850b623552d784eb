import { useState } from "preact/hooks";
import type { FlowStep } from "../../../api/flows.ts";
import { Time } from "../../parts/time.tsx";
import { longSpanOf, StepBadge } from "./flow-words.tsx";
import { Value } from "./value.tsx";

const shownAtOnce = 100;

export function Steps({ id, steps, label }: { id: string; steps: readonly FlowStep[]; label: string }) {
  const [most, setMost] = useState(shownAtOnce);
  // The last steps show what the flow does now.
  const hidden = Math.max(0, steps.length - most);
  return (
    <>
      {hidden > 0 && (
        <button type="button" class="quiet" onClick={() => setMost(most + 300)}>
          Show {Math.min(300, hidden)} earlier steps of {hidden}
        </button>
      )}
      <ol class="steps" aria-label={label} start={hidden + 1}>
        {steps.slice(hidden).map((step) => (
          <Step key={step.id} id={id} step={step} />
        ))}
      </ol>
    </>
  );
}

function Step({ id, step }: { id: string; step: FlowStep }) {
  const { kind, name, state, words, startedAtMs, endedAtMs, tries, gave, inner } = step;
  const [toggled, setOpen] = useState<boolean>();
  const isOpen = toggled ?? state !== "done";
  const hasMore = tries.length > 0 || gave !== undefined;
  const head = (
    <>
      <span class="step-name">
        {titleOf(kind, name)}
        {words !== undefined && (
          <span class={state === "failed" ? "step-words toned" : "step-words soft"}>{words}</span>
        )}
      </span>
      {tries.length > 1 && <span class="soft">{tries.length} tries</span>}
      {state !== "done" && <StepBadge state={state} />}
      <span class="soft number">{endedAtMs === undefined ? "" : longSpanOf(endedAtMs - startedAtMs)}</span>
      <Time ms={startedAtMs} withDate={false} />
    </>
  );
  return (
    <li class={`is-${state}`}>
      {hasMore ? (
        <button
          type="button"
          class="quiet row step-head"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {head}
        </button>
      ) : (
        <div class="row step-head">{head}</div>
      )}
      {isOpen && hasMore && (
        <div>
          {tries.length > 0 && (
            <ol class="small" aria-label={`Attempts of ${name}`}>
              {tries.map((one, place) => (
                <li key={`${one.startedAtMs} ${place}`}>
                  <Time ms={one.startedAtMs} />{" "}
                  <span class={one.isGood ? undefined : "toned is-bad"}>{one.words}</span>
                </li>
              ))}
            </ol>
          )}
          {gave !== undefined && <Value id={id} label={kind === "event" ? "Event" : "Result"} value={gave} />}
        </div>
      )}
      {inner.length > 0 && (
        <div>
          <Steps id={id} steps={inner} label={`Within ${titleOf(kind, name)}`} />
        </div>
      )}
    </li>
  );
}

function titleOf(kind: FlowStep["kind"], name: string): string {
  switch (kind) {
    case "wait":
      return "Wait";
    case "event":
      return `Wait for ${name}`;
    case "cancel":
      return "Listen for cancellation";
    case "ways":
      return name === "any" ? "Parallel branches, the first one wins" : "Parallel branches";
    case "way":
      return `Branch ${Number(name) + 1}`;
    default:
      return name;
  }
}
