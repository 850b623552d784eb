import type { FaultsAnswer } from "../../api/world-faults.ts";
import { Countdown } from "./countdown.tsx";
import { useResource } from "./use-resource.ts";

export function FaultsChip() {
  const { value, reload } = useResource<FaultsAnswer>("/api/world/faults", ["world"]);
  if (value?.isAnyOn !== true) return null;
  return (
    <a class="badge is-bad" href="#/world/faults" title="Simulated faults are on">
      faults<span class="is-spare"> on</span>{" "}
      {value.untilMs !== undefined && <Countdown untilMs={value.untilMs} onEnd={reload} />}
    </a>
  );
}
