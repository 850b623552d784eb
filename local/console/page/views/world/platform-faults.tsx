import { useState } from "preact/hooks";
import type { FaultsAnswer } from "../../../api/world-faults.ts";
import { Button } from "../../parts/button.tsx";
import { JsonEditor } from "../../parts/json/json-editor.tsx";
import { Countdown, useNow, useWorldTime } from "../../parts/world-clock.tsx";
import { Card } from "./part.tsx";

type Platform = FaultsAnswer["platform"];
type Rule = Platform["rules"][number];

const ready: readonly (readonly [string, Rule])[] = [
  ["Requests answered 500", { on: "request", fault: "serverError" }],
  ["Requests throttled", { on: "request", fault: "tooManyRequests" }],
  ["Requests slow", { on: "request", fault: "latency", delayMs: 2_000 }],
  ["Done, but no answer", { on: "request", fault: "timeoutAfterExecuting" }],
  ["Deliveries lost", { on: "delivery", fault: "drop" }],
  ["Deliveries twice", { on: "delivery", fault: "duplicate" }],
  ["Deliveries late", { on: "delivery", fault: "delay", delayMs: 5_000 }],
  ["Deliveries out of order", { on: "delivery", fault: "reorder" }],
];

/** Whom the faults hit that are turned on next, and when they end. */
export interface Aim {
  readonly callers?: "functions";
  readonly untilMs?: number;
}

interface PlatformProps extends Pick<FaultsAnswer, "platform" | "platformStrikes"> {
  readonly aim: () => Aim;
  readonly reload: () => void;
  readonly set: (platform: Platform) => Promise<void>;
}

export function PlatformFaults({ platform, platformStrikes, aim, reload, set }: PlatformProps) {
  const now = useNow();
  const withRules = (rules: readonly Rule[]) => set({ ...platform, rules });
  const add = (rule: Rule) => {
    const inForce = platform.rules.filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > now());
    return withRules([...inForce, aimedAt(rule, aim())]);
  };
  return (
    <Card
      title="The platform"
      says="Rules for API requests and deliveries. The first rule that applies is counted. Adding or removing a rule resets all counts."
    >
      <ul class="lines">
        {platform.rules.map((rule, index) => (
          <li key={JSON.stringify(rule)}>
            <span>
              <code>{describe(rule)}</code>{" "}
              <span class="soft">
                {timesOf(platformStrikes[index]?.faults ?? 0)}
                {rule.untilMs !== undefined && <End untilMs={rule.untilMs} onEnd={reload} />}
              </span>
            </span>
            <Button
              act={() => withRules(platform.rules.filter((other) => other !== rule))}
              label={`Off: ${describe(rule)}`}
            >
              Off
            </Button>
          </li>
        ))}
      </ul>
      <div class="buttons">
        {ready.map(([label, rule]) => (
          <Button key={label} act={() => add(rule)}>
            {label}
          </Button>
        ))}
      </div>
      <CustomRule add={add} />
    </Card>
  );
}

function aimedAt(rule: Rule, { callers, ...ends }: Aim): Rule {
  if (rule.on === "delivery" || callers === undefined) return { ...ends, ...rule };
  return { ...ends, callers, ...rule };
}

function End({ untilMs, onEnd }: { readonly untilMs: number; readonly onEnd: () => void }) {
  const { nowMs = 0 } = useWorldTime();
  return (
    <>
      {untilMs <= nowMs ? ", over" : ", ends in "}
      <Countdown untilMs={untilMs} onEnd={onEnd} />
    </>
  );
}

const example = '{ "on": "request", "path": "/messages", "fault": "serverError", "probability": 0.5 }';

function CustomRule({ add }: { readonly add: (rule: Rule) => Promise<void> }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState(example);
  return (
    <details class="stack" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Custom rule</summary>
      {isOpen && <JsonEditor label="Rule, as JSON" text={text} onText={setText} />}
      <p class="hint">
        Which requests or deliveries: appId, method, path, operationId, webhookId, trigger. Who: callers. How
        often: probability, skip, count. Until when: untilMs.
      </p>
      <Button act={() => add(JSON.parse(text))}>Add</Button>
    </details>
  );
}

function describe({ on, fault, id: _id, untilMs: _untilMs, ...rest }: Rule): string {
  const more = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  return [`${on}: ${fault}`, ...more].join(", ");
}

export function timesOf(count: number): string {
  if (count === 0) return "never occurred";
  return count === 1 ? "occurred once" : `occurred ${count.toLocaleString()} times`;
}
