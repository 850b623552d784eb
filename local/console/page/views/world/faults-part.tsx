import { useEffect, useState } from "preact/hooks";
import type { FaultsAnswer } from "../../../api/world-faults.ts";
import { Button } from "../../parts/button.tsx";
import { CheckField, SelectField, TextField } from "../../parts/field.tsx";
import { useSettled } from "../../parts/use-resource.ts";
import { Countdown, useNow } from "../../parts/world-clock.tsx";
import { type Aim, type CloudProps, timesOf } from "./faults.ts";
import { FunctionFaults } from "./function-faults.tsx";
import { Card, Part, usePart } from "./part.tsx";
import { PlatformFaults } from "./platform-faults.tsx";

type Cloud = FaultsAnswer["cloud"];

const services: readonly (readonly [keyof Cloud["services"], string])[] = [
  ["sqs", "SQS, the queues"],
  ["dynamodb", "DynamoDB, the tables"],
  ["secretsmanager", "Secrets Manager"],
  ["lambda", "Lambda’s API"],
];

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
  const part = usePart<FaultsAnswer>("/api/world/faults", "journeys", "queues");
  const [callers, setCallers] = useState("functions");
  const [forMs, setForMs] = useState("60000");
  const now = useNow();
  const aim = (): Aim => ({
    ...(callers === "functions" && { callers }),
    ...(forMs !== "" && { untilMs: now() + Number(forMs) }),
  });
  const setCloud = ({ callers: _callers, untilMs: _untilMs, ...cloud }: Cloud) =>
    part.change("PUT", "/cloud", { ...cloud, ...aim() });
  const { value } = part;
  return (
    <Part
      title="Faults"
      says="Simulated failures. Counts start at the last change. A reset or a restored snapshot turns all of them off."
      error={part.error}
      acts={
        <Button
          act={() => part.change("DELETE", "", undefined, "All faults are off.")}
          isDisabled={value?.isAnyOn !== true}
        >
          All off
        </Button>
      }
    >
      <Card title="What you turn on next" says="This page’s own calls never meet a fault.">
        <div class="line">
          <SelectField label="Hits calls of" value={callers} onInput={setCallers} options={targets} />
          <SelectField label="For" value={forMs} onInput={setForMs} options={durations} />
        </div>
      </Card>
      {value !== undefined && (
        <>
          <CloudFaults answer={value} set={setCloud} reload={part.reload} />
          <FunctionFaults answer={value} set={setCloud} />
          <PlatformFaults
            answer={value}
            aim={aim}
            reload={part.reload}
            set={(platform) => part.change("PUT", "/platform", platform)}
          />
        </>
      )}
    </Part>
  );
}

function CloudFaults({ answer, set, reload }: CloudProps & { readonly reload: () => void }) {
  const { cloud, cloudStrikes } = answer;
  const end = cloud.untilMs !== undefined && (
    <>
      Ends in <Countdown untilMs={cloud.untilMs} onEnd={reload} />.
    </>
  );
  return (
    <Card
      title="Services of the cloud"
      says={
        <>
          Probabilities per call, from 0 to 1. The last change of services, queues or functions sets the end
          of all three. {end}
        </>
      }
    >
      {services.map(([service, title]) => (
        <ServiceFaults key={service} {...{ answer, set, service, title }} />
      ))}
      <section class="line" aria-label="Batches">
        <h4>Batches of the queues</h4>
        <NumberInput
          label="Chance of a duplicate"
          value={cloud.doubled}
          most={1}
          set={(doubled) => set({ ...cloud, doubled })}
        />
        <p class="soft small">{timesOf(cloudStrikes.doubled)}</p>
      </section>
    </Card>
  );
}

interface ServiceProps extends CloudProps {
  readonly service: keyof Cloud["services"];
  readonly title: string;
}

function ServiceFaults({ answer: { cloud, cloudStrikes }, service, title, set }: ServiceProps) {
  const setting = cloud.services[service];
  const { down, throttled, slow } = cloudStrikes.services[service];
  const change = (changed: Partial<typeof setting>) =>
    set({ ...cloud, services: { ...cloud.services, [service]: { ...setting, ...changed } } });
  return (
    <section class="line" aria-label={title}>
      <h4>{title}</h4>
      <CheckField label="down" value={setting.isDown} onInput={(isDown) => void change({ isDown })} />
      <NumberInput
        label="Chance to throttle"
        value={setting.throttled}
        most={1}
        set={(chance) => change({ throttled: chance })}
      />
      <NumberInput
        label="Slower by ms"
        value={setting.slowMs}
        most={60_000}
        set={(slowMs) => change({ slowMs })}
      />
      <p class="soft small">{timesOf(down + throttled + slow)}</p>
    </section>
  );
}

const typingMs = 500;

interface NumberProps {
  readonly label: string;
  readonly value: number;
  readonly most: number;
  readonly set: (value: number) => Promise<unknown>;
}

function NumberInput({ label, value, most, set }: NumberProps) {
  const [text, setText] = useState<string>();
  const settled = useSettled(text, typingMs);
  const fits = text !== "" && Number(text ?? 0) >= 0 && Number(text ?? 0) <= most;
  useEffect(() => {
    if (settled === undefined || settled !== text || !fits) return;
    void set(Number(settled)).finally(() => setText(undefined));
  }, [settled]);
  return (
    <TextField
      type="number"
      label={label}
      value={text ?? String(value)}
      onInput={setText}
      error={fits ? undefined : `From 0 to ${most}`}
    />
  );
}
