import { useState } from "preact/hooks";
import type { FaultsAnswer } from "../../../../api/world-faults.ts";
import { Button } from "../../../parts/button.tsx";
import { SelectField, TextField } from "../../../parts/field.tsx";
import { Card } from "../part-head.tsx";
import { timesOf } from "./times-of.ts";

type Cloud = FaultsAnswer["cloud"];
type Kill = Cloud["kills"][number];

const services: readonly (readonly [Kill["point"]["service"], string])[] = [
  ["chat", "the platform"],
  ["dynamodb", "DynamoDB"],
  ["sqs", "SQS"],
  ["secretsmanager", "Secrets Manager"],
  ["lambda", "Lambda"],
  ["eventbridge", "EventBridge"],
  ["other", "another host"],
];

export function FunctionFaults({
  answer: { cloud, cloudStrikes, functions },
  set,
}: {
  readonly answer: FaultsAnswer;
  readonly set: (cloud: Cloud) => Promise<void>;
}) {
  return (
    <Card
      title="Functions"
      says="Kills a process before one of its requests or after the answer, as a power failure would."
    >
      {cloud.kills.length > 0 && (
        <ul class="lines">
          {cloud.kills.map((kill, index) => (
            <li key={`${kill.functionKey} ${JSON.stringify(kill.point)}`}>
              <span>
                {describe(kill)} <span class="soft">{timesOf(cloudStrikes.kills[index] ?? 0)}</span>
              </span>
              <Button
                act={() => set({ ...cloud, kills: cloud.kills.filter((other) => other !== kill) })}
                label={`Off: ${describe(kill)}`}
              >
                Off
              </Button>
            </li>
          ))}
        </ul>
      )}
      <KillForm functions={functions} add={(kill) => set({ ...cloud, kills: [...cloud.kills, kill] })} />
      {Object.keys(cloud.concurrency).length > 0 && (
        <ul class="lines">
          {Object.entries(cloud.concurrency).map(([functionKey, count]) => (
            <li key={functionKey}>
              <span>
                {functionKey}: {count === 1 ? "one process" : `${count} processes`} at a time
              </span>
              <Button
                act={() => {
                  const { [functionKey]: _off, ...concurrency } = cloud.concurrency;
                  return set({ ...cloud, concurrency });
                }}
                label={`Off: processes of ${functionKey}`}
              >
                Off
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ConcurrencyForm
        functions={functions}
        limit={(functionKey, count) =>
          set({ ...cloud, concurrency: { ...cloud.concurrency, [functionKey]: count } })
        }
      />
    </Card>
  );
}

function KillForm({
  functions,
  add,
}: {
  readonly functions: readonly string[];
  readonly add: (kill: Kill) => Promise<void>;
}) {
  const [functionKey, setFunction] = useState("processEvents");
  const [service, setService] = useState("chat");
  const [nth, setNth] = useState("1");
  const [when, setWhen] = useState("after");
  const [chance, setChance] = useState("1");
  const chosen = services.find(([name]) => name === service)?.[0] ?? "chat";
  return (
    <div class="line">
      <SelectField
        label="Kill"
        value={functionKey}
        onInput={setFunction}
        options={functions.map((key) => [key, key])}
      />
      <SelectField
        label="When"
        value={when}
        onInput={setWhen}
        options={[
          ["before", "before"],
          ["after", "after"],
        ]}
      />
      <TextField type="number" label="Request number" value={nth} onInput={setNth} />
      <SelectField label="To" value={service} onInput={setService} options={services} />
      <TextField type="number" label="Chance" value={chance} onInput={setChance} />
      <Button
        act={() =>
          add({
            functionKey,
            chance: Number(chance),
            point: { service: chosen, nth: Number(nth), when: when === "before" ? "before" : "after" },
          })
        }
      >
        Add
      </Button>
    </div>
  );
}

function ConcurrencyForm({
  functions,
  limit,
}: {
  readonly functions: readonly string[];
  readonly limit: (functionKey: string, count: number) => Promise<void>;
}) {
  const [functionKey, setFunction] = useState("processEvents");
  const [count, setCount] = useState("1");
  return (
    <div class="line">
      <SelectField
        label="Processes of"
        value={functionKey}
        onInput={setFunction}
        options={functions.map((key) => [key, key])}
      />
      <TextField type="number" label="At a time" value={count} onInput={setCount} />
      <Button act={() => limit(functionKey, Number(count))}>Limit</Button>
    </div>
  );
}

function describe({ functionKey, point: { service, nth, when }, chance }: Kill): string {
  const to = services.find(([name]) => name === service)?.[1] ?? service;
  const often = chance < 1 ? `, by chance ${chance}` : "";
  return `${functionKey} is killed ${when} request ${nth} to ${to}${often}`;
}
