import { useState } from "preact/hooks";
import type { FaultsAnswer } from "../../../../api/world-faults.ts";
import { Button } from "../../../parts/button.tsx";
import { Countdown } from "../../../parts/countdown.tsx";
import { TextArea } from "../../../parts/field.tsx";
import { useNow, useWorldTime } from "../../../parts/world-clock.tsx";
import { Card } from "../part-head.tsx";
import type { Aim } from "./aim.tsx";
import { timesOf } from "./times-of.ts";

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

export function PlatformFaults({
  answer: { platform, platformStrikes },
  aim,
  reload,
  set,
}: {
  readonly answer: FaultsAnswer;
  readonly aim: () => Aim;
  readonly reload: () => void;
  readonly set: (platform: Platform) => Promise<void>;
}) {
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
      {platform.rules.length > 0 && (
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
      )}
      <div class="buttons">
        {ready.map(([label, rule]) => (
          <Button key={label} act={() => add(rule)}>
            {label}
          </Button>
        ))}
      </div>
      <RuleForm add={add} />
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

function RuleForm({ add }: { readonly add: (rule: Rule) => Promise<void> }) {
  const [text, setText] = useState(
    '{ "on": "request", "path": "/messages", "fault": "serverError", "probability": 0.5 }',
  );
  return (
    <details>
      <summary>Custom rule</summary>
      <TextArea
        label="Rule, as JSON"
        value={text}
        onInput={setText}
        isCode
        rows={3}
        hint="Which requests or deliveries: appId, method, path, operationId, webhookId, trigger. Who: callers. How often: probability, skip, count. Until when: untilMs."
      />
      <Button act={() => add(JSON.parse(text))}>Add</Button>
    </details>
  );
}

function describe({ on, fault, id: _id, untilMs: _untilMs, ...rest }: Rule): string {
  const more = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  return [`${on}: ${fault}`, ...more].join(", ");
}
