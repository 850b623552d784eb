import { useState } from "preact/hooks";
import type { Fields } from "../../../api/explorer.ts";
import type { FaultsAnswer } from "../../../api/stack.ts";
import { Button } from "../../parts/button.tsx";
import { useFacts } from "../../parts/facts.tsx";
import { SelectField } from "../../parts/field.tsx";
import { JsonForm } from "../../parts/json/json-form.tsx";
import { JsonEditor } from "../../parts/json/json-input.tsx";
import { Countdown, useNow, useStackTime } from "../../parts/stack-clock.tsx";
import { Facts } from "../../parts/texts.tsx";
import { Card, Part, usePart } from "./part.tsx";

const durations = [
  ["60000", "1 minute"],
  ["300000", "5 minutes"],
  ["3600000", "1 hour"],
  ["", "until I turn it off"],
] as const;

const targets = [
  ["functions", "the functions"],
  ["", "everyone"],
] as const;

export function FaultsPart() {
  const part = usePart<FaultsAnswer>("/api/stack/faults", "journeys", "queues");
  const [callers, setCallers] = useState("functions");
  const [forMs, setForMs] = useState("60000");
  const now = useNow();
  const aim = (): Aim => ({
    ...(callers === "functions" && { callers }),
    ...(forMs !== "" && { untilMs: now() + Number(forMs) }),
  });
  const { value, change, reload } = part;
  return (
    <Part
      title="Faults"
      description="Simulated failures. Counts start at the last change. A reset or a restored snapshot turns all of them off."
      error={part.error}
      acts={
        <Button
          act={() => change("DELETE", "", undefined, "All faults are off.")}
          isDisabled={value?.isAnyOn !== true}
        >
          All off
        </Button>
      }
    >
      <Card title="What you turn on next" description="This page’s own calls never meet a fault.">
        <div class="line">
          <SelectField label="Hits calls of" value={callers} onInput={setCallers} options={targets} />
          <SelectField label="For" value={forMs} onInput={setForMs} options={durations} />
        </div>
      </Card>
      {value && (
        <>
          <PlatformFaults
            {...value}
            aim={aim}
            reload={reload}
            set={(platform) => change("PUT", "/platform", platform)}
          />
          <CloudFaults
            {...value}
            reload={reload}
            set={(cloud) => change("PUT", "/cloud", { ...cloud, ...aim() })}
          />
        </>
      )}
    </Part>
  );
}

interface CloudProps extends FaultsAnswer {
  readonly reload: () => void;
  readonly set: (cloud: object) => Promise<void>;
}

function CloudFaults({ cloud, cloudStrikes, reload, set }: CloudProps) {
  const functions = useFacts()?.functions ?? [];
  const { callers: _callers, untilMs, ...settings } = cloud;
  const [edited, setEdited] = useState<unknown>();
  const apply = async () => {
    await set(Object(edited));
    setEdited(undefined);
  };
  const { services, doubled, kills } = cloudStrikes;
  const strikes = {
    ...Object.fromEntries(
      Object.entries(services).map(([service, { down, throttled, slow }]) => [
        service,
        timesOf(down + throttled + slow),
      ]),
    ),
    "doubled batches": timesOf(doubled),
    ...Object.fromEntries(kills.map((count, place) => [`kill ${place}`, timesOf(count)])),
  };
  return (
    <Card
      title="The cloud and the functions"
      description="Services that are down, throttled (a probability from 0 to 1 per call) or slower; batches that a queue delivers twice; functions that are killed before one of their requests or after its answer, as by a power failure; how many processes of a function run at a time."
    >
      <JsonForm value={edited ?? settings} type={typeOf(functions)} onChange={setEdited} />
      <div class="buttons">
        <Button kind="main" act={apply} isDisabled={edited === undefined}>
          Apply
        </Button>
        {untilMs !== undefined && (
          <span class="soft">
            ends in <Countdown untilMs={untilMs} onEnd={reload} />
          </span>
        )}
      </div>
      <Facts of={strikes} />
    </Card>
  );
}

const service = { "isDown!": "boolean", "throttled!": "number", "slowMs!": "integer" } as const;

function typeOf(functions: readonly string[]): Fields {
  return {
    "services!": { "sqs!": service, "dynamodb!": service, "secretsmanager!": service, "lambda!": service },
    "doubled!": "number",
    "kills!": [
      {
        "functionKey!": functions.join("|"),
        "point!": {
          "service!": "chat|dynamodb|sqs|secretsmanager|lambda|eventbridge|other",
          "nth!": "integer",
          "when!": "after|before",
        },
        "chance!": "number",
      },
    ],
    "concurrency!": Object.fromEntries(functions.map((name) => [name, "integer"])),
  };
}

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

/** Callers that new faults affect, and when faults end. */
interface Aim {
  readonly callers?: "functions";
  readonly untilMs?: number;
}

interface PlatformProps extends Pick<FaultsAnswer, "platform" | "platformStrikes"> {
  readonly aim: () => Aim;
  readonly reload: () => void;
  readonly set: (platform: Platform) => Promise<void>;
}

function PlatformFaults({ platform, platformStrikes, aim, reload, set }: PlatformProps) {
  const now = useNow();
  const withRules = (rules: readonly Rule[]) => set({ ...platform, rules });
  const add = (rule: Rule) => {
    const inForce = platform.rules.filter(({ untilMs = Number.POSITIVE_INFINITY }) => untilMs > now());
    return withRules([...inForce, aimedAt(rule, aim())]);
  };
  return (
    <Card
      title="The platform"
      description="Rules for API requests and deliveries. The first rule that applies is counted. Adding or removing a rule resets all counts."
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
  const { nowMs = 0 } = useStackTime();
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

function describe({ on, fault, id: _id, untilMs: _untilMs, ...rest }: Rule) {
  const more = Object.entries(rest).map(([name, value]) => `${name} ${value}`);
  return [`${on}: ${fault}`, ...more].join(", ");
}

function timesOf(count: number) {
  if (count === 0) return "never occurred";
  return count === 1 ? "occurred once" : `occurred ${count.toLocaleString()} times`;
}
