import { useState } from "preact/hooks";
import type { FaultsAnswer } from "../../../api/world-faults.ts";
import { Button } from "../../parts/button.tsx";
import { Form } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/field.tsx";
import { type CloudProps, timesOf } from "./faults.ts";
import { Card } from "./part.tsx";

type Kill = FaultsAnswer["cloud"]["kills"][number];

const services: readonly (readonly [Kill["point"]["service"], string])[] = [
  ["chat", "the platform"],
  ["dynamodb", "DynamoDB"],
  ["sqs", "SQS"],
  ["secretsmanager", "Secrets Manager"],
  ["lambda", "Lambda"],
  ["eventbridge", "EventBridge"],
  ["other", "another host"],
];

export function FunctionFaults({ answer: { cloud, cloudStrikes, functions }, set }: CloudProps) {
  const setKills = (kills: readonly Kill[]) => set({ ...cloud, kills });
  return (
    <Card
      title="Functions"
      says="Kills a process before one of its requests or after the answer, as a power failure would."
    >
      <ul class="lines">
        {cloud.kills.map((kill, index) => (
          <li key={`${kill.functionKey} ${JSON.stringify(kill.point)}`}>
            <span>
              {describe(kill)} <span class="soft">{timesOf(cloudStrikes.kills[index] ?? 0)}</span>
            </span>
            <Button
              act={() => setKills(cloud.kills.filter((other) => other !== kill))}
              label={`Off: ${describe(kill)}`}
            >
              Off
            </Button>
          </li>
        ))}
      </ul>
      <KillForm functions={functions} add={(kill) => setKills([...cloud.kills, kill])} />
    </Card>
  );
}

const initial = { functionKey: "processEvents", service: "chat", nth: "1", when: "after", chance: "1" };

interface KillFormProps {
  readonly functions: readonly string[];
  readonly add: (kill: Kill) => Promise<void>;
}

function KillForm({ functions, add }: KillFormProps) {
  const [given, setGiven] = useState(initial);
  const { functionKey, nth, chance } = given;
  const set = (name: keyof typeof initial) => (value: string) => setGiven({ ...given, [name]: value });
  const act = () =>
    add({
      functionKey,
      chance: Number(chance),
      point: {
        service: services.find(([name]) => name === given.service)?.[0] ?? "chat",
        nth: Number(nth),
        when: given.when === "before" ? "before" : "after",
      },
    });
  return (
    <Form isLine kind="plain" label="Add" act={act}>
      <SelectField label="Kill" value={functionKey} onInput={set("functionKey")} options={functions} />
      <SelectField label="When" value={given.when} onInput={set("when")} options={["before", "after"]} />
      <TextField type="number" label="Request number" value={nth} onInput={set("nth")} />
      <SelectField label="To" value={given.service} onInput={set("service")} options={services} />
      <TextField type="number" label="Chance" value={chance} onInput={set("chance")} />
    </Form>
  );
}

function describe({ functionKey, point: { service, nth, when }, chance }: Kill): string {
  const to = services.find(([name]) => name === service)?.[1] ?? service;
  const often = chance < 1 ? `, by chance ${chance}` : "";
  return `${functionKey} is killed ${when} request ${nth} to ${to}${often}`;
}
