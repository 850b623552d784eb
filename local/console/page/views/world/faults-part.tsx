import { useState } from "preact/hooks";
import type { Fields } from "../../../api/explorer.ts";
import type { FaultsAnswer } from "../../../api/world-faults.ts";
import { Button } from "../../parts/button.tsx";
import { SelectField } from "../../parts/field.tsx";
import { JsonForm } from "../../parts/json/json-form.tsx";
import { Facts } from "../../parts/texts.tsx";
import { Countdown, useNow } from "../../parts/world-clock.tsx";
import { Card, Part, usePart } from "./part.tsx";
import { type Aim, PlatformFaults, timesOf } from "./platform-faults.tsx";

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
  const { value, change, reload } = part;
  return (
    <Part
      title="Faults"
      says="Simulated failures. Counts start at the last change. A reset or a restored snapshot turns all of them off."
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
      <Card title="What you turn on next" says="This page’s own calls never meet a fault.">
        <div class="line">
          <SelectField label="Hits calls of" value={callers} onInput={setCallers} options={targets} />
          <SelectField label="For" value={forMs} onInput={setForMs} options={durations} />
        </div>
      </Card>
      {value && (
        <>
          <PlatformFaults
            {...{ ...value, aim, reload }}
            set={(platform) => change("PUT", "/platform", platform)}
          />
          <CloudFaults
            {...{ ...value, reload }}
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

function CloudFaults({ cloud, cloudStrikes, functions, reload, set }: CloudProps) {
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
      says="Services that are down, throttled (a probability from 0 to 1 per call) or slower; batches that a queue delivers twice; functions that are killed before one of their requests or after its answer, as by a power failure; how many processes of a function run at a time."
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
