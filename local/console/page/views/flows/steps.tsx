import { useState } from "preact/hooks";
import type { FlowState, FlowStep, FlowValue } from "../../../api/flows.ts";
import { Button } from "../../parts/button.tsx";
import { readable } from "../../parts/json/field-types.ts";
import { JsonView } from "../../parts/json/json-input.tsx";
import { Badge, sizeOf, spanOf, Time, type Tone } from "../../parts/texts.tsx";

const shownAtOnce = 100;

interface StepsProps {
  readonly id: string;
  readonly steps: readonly FlowStep[];
  readonly label: string;
}

export function Steps({ id, steps, label }: StepsProps) {
  const [most, setMost] = useState(shownAtOnce);
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
  const title = titleOf(step);
  const head = (
    <>
      <span class="step-name">
        {title}
        <span class={state === "failed" ? "step-words toned" : "step-words soft"}>{words}</span>
      </span>
      {tries.length > 1 && <span class="soft">{tries.length} tries</span>}
      {state !== "done" && <StateBadge state={state} />}
      <span class="soft number">{endedAtMs && spanOf(endedAtMs - startedAtMs)}</span>
      <Time ms={startedAtMs} />
    </>
  );
  return (
    <li class={`is-${state}`}>
      {tries.length > 0 || gave ? (
        <details open={state !== "done"}>
          <summary class="row">{head}</summary>
          <ol class="small" aria-label={`Attempts of ${name}`}>
            {tries.map((one, place) => (
              <li key={`${one.startedAtMs} ${place}`}>
                <Time ms={one.startedAtMs} />{" "}
                <span class={one.isGood ? undefined : "toned is-bad"}>{one.words}</span>
              </li>
            ))}
          </ol>
          {gave && <Value id={id} label={kind === "event" ? "Event" : "Result"} value={gave} />}
        </details>
      ) : (
        <div class="row">{head}</div>
      )}
      {inner.length > 0 && <Steps id={id} steps={inner} label={`Within ${title}`} />}
    </li>
  );
}

function titleOf({ kind, name }: FlowStep) {
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

export function Value({ id, label, value }: { id: string; label: string; value: FlowValue }) {
  const [whole, setWhole] = useState<string>();
  const load = async () => {
    const path = `/api/flows/${encodeURIComponent(id)}/values/${encodeURIComponent(value.valueId)}`;
    const response = await fetch(path);
    if (!response.ok) throw new Error("The value is no longer kept.");
    setWhole(await response.text());
  };
  const isCut = value.isCut && whole === undefined;
  return (
    <div class="stack">
      <JsonView label={label} value={isCut ? `${value.text} …` : readable(whole ?? value.text)} />
      {isCut && (
        <Button kind="quiet" act={load} label={`Show all of ${label}, ${sizeOf(value.bytes)}`}>
          Show all ({sizeOf(value.bytes)})
        </Button>
      )}
    </div>
  );
}

const tones: Readonly<Record<FlowState | FlowStep["state"], Tone>> = {
  running: "waiting",
  waiting: "waiting",
  succeeded: "good",
  done: "good",
  failed: "bad",
  "timed out": "bad",
  cancelled: "plain",
  stopped: "plain",
};

export function StateBadge({ state, isWaiting }: { state: keyof typeof tones; isWaiting?: boolean }) {
  return <Badge tone={tones[state]}>{isWaiting === true ? "waiting" : state}</Badge>;
}
