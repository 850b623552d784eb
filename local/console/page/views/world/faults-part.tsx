import type { FaultsAnswer } from "../../../api/world-faults.ts";
import { ask } from "../../parts/ask.ts";
import { Button } from "../../parts/button.tsx";
import { Countdown } from "../../parts/countdown.tsx";
import { CheckField } from "../../parts/field.tsx";
import { notifyDone } from "../../parts/toasts.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { Card, PartHead, PartTrouble } from "./part-head.tsx";
import { useAim } from "./running/aim.tsx";
import { FunctionFaults } from "./running/function-faults.tsx";
import { NumberInput } from "./running/number-input.tsx";
import { PlatformFaults } from "./running/platform-faults.tsx";
import { timesOf } from "./running/times-of.ts";

const path = "/api/world/faults";

type Cloud = FaultsAnswer["cloud"];
type Service = keyof Cloud["services"];

const services: readonly (readonly [Service, string])[] = [
  ["sqs", "SQS, the queues"],
  ["dynamodb", "DynamoDB, the tables"],
  ["secretsmanager", "Secrets Manager"],
  ["lambda", "Lambda’s API"],
];

export function FaultsPart() {
  const { value, error, reload } = useResource<FaultsAnswer>(path, ["world", "journeys", "queues"]);
  const set = async (where: "cloud" | "platform", body: object) => {
    await ask(`${path}/${where}`, { method: "PUT", body });
    reload();
  };
  const { aim, card } = useAim();
  const setCloud = ({ callers: _callers, untilMs: _untilMs, ...cloud }: Cloud) =>
    set("cloud", { ...cloud, ...aim() });
  const allOff = async () => {
    await ask(path, { method: "DELETE" });
    reload();
    notifyDone("All faults are off.");
  };
  return (
    <>
      <PartHead
        title="Faults"
        says="Simulated failures. Counts start at the last change. A reset or a restored snapshot turns all of them off."
      >
        <Button
          kind={value?.isAnyOn === true ? "main" : "plain"}
          act={allOff}
          isDisabled={value?.isAnyOn !== true}
        >
          All off
        </Button>
      </PartHead>
      <PartTrouble error={error} />
      {value !== undefined && (
        <div class="stack">
          {card}
          <Card title="Services of the cloud" says={<CloudEnd answer={value} onEnd={reload} />}>
            <div class="stack">
              {services.map(([service, title]) => (
                <ServiceFaults key={service} answer={value} service={service} title={title} set={setCloud} />
              ))}
            </div>
          </Card>
          <Card
            title="Queues"
            says="A queue can deliver a batch twice: the function handles the same messages again."
          >
            <div class="line">
              <h4>Batches</h4>
              <NumberInput
                label="Chance of a duplicate"
                value={value.cloud.doubled}
                most={1}
                set={(doubled) => setCloud({ ...value.cloud, doubled })}
              />
              <p class="soft small">{timesOf(value.cloudStrikes.doubled)}</p>
            </div>
          </Card>
          <FunctionFaults answer={value} set={setCloud} />
          <PlatformFaults
            answer={value}
            aim={aim}
            reload={reload}
            set={(platform) => set("platform", platform)}
          />
        </div>
      )}
    </>
  );
}

function CloudEnd({
  answer: { cloud },
  onEnd,
}: {
  readonly answer: FaultsAnswer;
  readonly onEnd: () => void;
}) {
  return (
    <>
      Probabilities per call, from 0 to 1. The last change of services, queues or functions sets the end of
      all three.{" "}
      {cloud.untilMs !== undefined && (
        <>
          Ends in <Countdown untilMs={cloud.untilMs} onEnd={onEnd} />.
        </>
      )}
    </>
  );
}

function ServiceFaults({
  answer: { cloud, cloudStrikes },
  service,
  title,
  set,
}: {
  readonly answer: FaultsAnswer;
  readonly service: Service;
  readonly title: string;
  readonly set: (cloud: Cloud) => Promise<void>;
}) {
  const setting = cloud.services[service];
  const struck = cloudStrikes.services[service];
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
        set={(throttled) => change({ throttled })}
      />
      <NumberInput
        label="Slower by ms"
        value={setting.slowMs}
        most={60_000}
        set={(slowMs) => change({ slowMs })}
      />
      <p class="soft small">{timesOf(struck.down + struck.throttled + struck.slow)}</p>
    </section>
  );
}
