import { useState } from "preact/hooks";
import { SelectField } from "../../../parts/field.tsx";
import { useNow } from "../../../parts/world-clock.tsx";
import { Card } from "../part-head.tsx";

const durations = [
  ["60000", "1 minute"],
  ["300000", "5 minutes"],
  ["3600000", "1 hour"],
  ["", "until I turn it off"],
] as const;

/** Whom the faults hit that are turned on next, and when they end. */
export interface Aim {
  readonly callers?: "functions";
  readonly untilMs?: number;
}

export function useAim() {
  const [callers, setCallers] = useState("functions");
  const [forMs, setForMs] = useState<string>(durations[0][0]);
  const now = useNow();
  return {
    aim: (): Aim => ({
      ...(callers === "functions" && { callers }),
      ...(forMs !== "" && { untilMs: now() + Number(forMs) }),
    }),
    card: (
      <Card title="What you turn on next" says="This page’s own calls never meet a fault.">
        <div class="line">
          <SelectField
            label="Hits calls of"
            value={callers}
            onInput={setCallers}
            options={[
              ["functions", "the functions"],
              ["", "everyone"],
            ]}
          />
          <SelectField label="For" value={forMs} onInput={setForMs} options={durations} />
        </div>
      </Card>
    ),
  };
}
