import { useEffect, useState } from "preact/hooks";
import type { TroubleCounts } from "../api/world.ts";
import type { FaultsAnswer } from "../api/world-faults.ts";
import { Select } from "./parts/field.tsx";
import { useConnected } from "./parts/notices.ts";
import { ReloadChip } from "./parts/reload-banner.tsx";
import { useResource } from "./parts/use-resource.ts";
import { Countdown, WorldClock } from "./parts/world-clock.tsx";
import { Search } from "./search/search.tsx";

/** How many failed, by the name of the view that shows them. */
export function useTroubles(): Readonly<Record<string, number>> {
  const topics = ["journeys", "queues", "flows"] as const;
  return { ...useResource<TroubleCounts>("/api/troubles", topics).value };
}

export function HeadEnd() {
  const isConnected = useConnected();
  return (
    <div class="head-end row">
      <Search />
      <ReloadChip />
      <FaultsChip />
      <WorldClock />
      <span class={`row small toned ${isConnected ? "is-good" : "is-bad"}`} role="status">
        {isConnected ? "live" : "not connected"}
      </span>
      <ThemeSwitch />
    </div>
  );
}

function FaultsChip() {
  const { value, reload } = useResource<FaultsAnswer>("/api/world/faults", ["world"]);
  if (value?.isAnyOn !== true) return null;
  return (
    <a class="badge is-bad" href="#/world/faults" title="Simulated faults are on">
      faults<span class="is-spare"> on</span>{" "}
      {value.untilMs !== undefined && <Countdown untilMs={value.untilMs} onEnd={reload} />}
    </a>
  );
}

const storageKey = "theme";

function ThemeSwitch() {
  const [theme, setTheme] = useState(() => localStorage.getItem(storageKey) ?? "system");
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (theme === "system") delete dataset.theme;
    else dataset.theme = theme;
    localStorage.setItem(storageKey, theme);
  }, [theme]);
  const options = ["system", "light", "dark"];
  return <Select class="theme" label="Colours" value={theme} options={options} onInput={setTheme} />;
}
