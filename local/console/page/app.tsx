import { useEffect, useRef, useState } from "preact/hooks";
import type { FaultsAnswer, TroubleCounts } from "../api/stack.ts";
import { Toasts } from "./parts/button.tsx";
import { useFacts } from "./parts/facts.tsx";
import { Select } from "./parts/field.tsx";
import { ReloadBanner, ReloadChip } from "./parts/reload-banner.tsx";
import { useRoute } from "./parts/route.ts";
import { Countdown, StackClock } from "./parts/stack-clock.tsx";
import { Empty } from "./parts/texts.tsx";
import { useConnected, useResource } from "./parts/use-resource.ts";
import { Search } from "./search/search.tsx";
import { views } from "./views.ts";

export function App() {
  const route = useRoute();
  const troubles = useTroubles();
  const main = useRef<HTMLElement>(null);
  const nav = useRef<HTMLElement>(null);
  const name = useName(route.query.get("app"));
  const known = views.find(([name]) => name === route.view);
  const [view, title, View] = known ?? views[0];
  useEffect(() => {
    // On a phone, the list of views is wider than the screen.
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    document.title = `${title} · ${name}`;
  }, [view, troubles, name]);
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the view
      </button>
      <header class="head">
        <p class="brand clip" title={name}>
          {name}
        </p>
        <nav ref={nav} aria-label="Views" class="views">
          {views.map(([name, words]) => (
            <a key={name} href={`#/${name}`} aria-current={name === view ? "page" : undefined}>
              {words}
              <Troubles count={troubles[name] ?? 0} />
            </a>
          ))}
        </nav>
        <HeadEnd />
      </header>
      <ReloadBanner />
      <main ref={main} id="main" tabIndex={-1} class="view" aria-label={title}>
        <h1 class="visually-hidden">{title}</h1>
        {known || route.view === "" ? <View key={view} /> : <NoView name={route.view} />}
      </main>
      <Toasts />
    </div>
  );
}

function NoView({ name }: { name: string }) {
  return (
    <Empty title={`There is no view “${name}”`}>
      <a href="#/">Open the chat.</a>
    </Empty>
  );
}

/** Names the tab by folder and app, to distinguish consoles. */
function useName(appId: string | null) {
  const { folder, apps = [] } = useFacts() ?? {};
  const app = apps.find((one) => one.appId === appId) ?? apps[0];
  return [folder?.split(/[\\/]/).at(-1) ?? "Local stack", app?.name].filter(Boolean).join(" · ");
}

function Troubles({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span class="badge is-bad">
      {count > 999 ? "999+" : count}
      <span class="visually-hidden"> failed</span>
    </span>
  );
}

function useTroubles(): Readonly<Record<string, number>> {
  const topics = ["journeys", "queues", "flows"] as const;
  return { ...useResource<TroubleCounts>("/api/troubles", topics).value };
}

function HeadEnd() {
  const isConnected = useConnected();
  return (
    <div class="head-end row">
      <Search />
      <ReloadChip />
      <FaultsChip />
      <StackClock />
      <span class={`row small toned ${isConnected ? "is-good" : "is-bad"}`} role="status">
        {isConnected ? "live" : "not connected"}
      </span>
      <ThemeSwitch />
    </div>
  );
}

function FaultsChip() {
  const { value, reload } = useResource<FaultsAnswer>("/api/stack/faults", ["stack"]);
  if (value?.isAnyOn !== true) return null;
  return (
    <a class="badge is-bad" href="#/stack/faults" title="Simulated faults are on">
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
