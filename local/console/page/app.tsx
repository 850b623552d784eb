import { useEffect, useRef, useState } from "preact/hooks";
import { Connection } from "./parts/connection.tsx";
import { FaultsChip } from "./parts/faults-chip.tsx";
import { ReloadBanner, ReloadChip } from "./parts/reload-banner.tsx";
import { useRoute } from "./parts/route.ts";
import { ThemeSwitch } from "./parts/theme-switch.tsx";
import { Toasts } from "./parts/toasts.tsx";
import { useTroubles } from "./parts/use-troubles.ts";
import { WorldClock } from "./parts/world-clock.tsx";
import { SearchButton, useSearchKey } from "./search/search-button.tsx";
import { SearchDialog } from "./search/search-dialog.tsx";
import { views } from "./views.ts";

function Troubles({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span class="badge is-bad">
      {count > 999 ? "999+" : count}
      <span class="visually-hidden"> failed</span>
    </span>
  );
}

export function App() {
  const route = useRoute();
  const troubles = useTroubles();
  const main = useRef<HTMLElement>(null);
  const nav = useRef<HTMLElement>(null);
  const [isSearching, setSearching] = useState(false);
  const openSearch = () => setSearching(true);
  useSearchKey(openSearch);
  const view = views.find(({ name }) => name === route.view) ?? views[0];
  useEffect(() => {
    // On a phone, the list of views is wider than the screen.
    nav.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    document.title = `${view.title} · Local stack`;
  }, [view, troubles]);
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the view
      </button>
      <header class="head">
        <p class="brand">Local stack</p>
        <nav ref={nav} aria-label="Views" class="views">
          {views.map(({ name, title }) => (
            <a key={name} href={`#/${name}`} aria-current={name === view.name ? "page" : undefined}>
              {title}
              <Troubles count={troubles.get(name) ?? 0} />
            </a>
          ))}
        </nav>
        <div class="head-end row">
          <SearchButton onOpen={openSearch} />
          <ReloadChip />
          <FaultsChip />
          <WorldClock />
          <Connection />
          <ThemeSwitch />
        </div>
      </header>
      <ReloadBanner />
      <main ref={main} id="main" tabIndex={-1} class="view" aria-label={view.title}>
        <h1 class="visually-hidden">{view.title}</h1>
        <view.View key={view.name} />
      </main>
      {isSearching && <SearchDialog onClose={() => setSearching(false)} />}
      <Toasts />
    </div>
  );
}
