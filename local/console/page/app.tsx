import { useEffect, useRef } from "preact/hooks";
import { HeadEnd, useTroubles } from "./head.tsx";
import { ReloadBanner } from "./parts/reload-banner.tsx";
import { useRoute } from "./parts/route.ts";
import { Toasts } from "./parts/toasts.tsx";
import { views } from "./views.ts";

export function App() {
  const route = useRoute();
  const troubles = useTroubles();
  const main = useRef<HTMLElement>(null);
  const nav = useRef<HTMLElement>(null);
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
              <Troubles count={troubles[name] ?? 0} />
            </a>
          ))}
        </nav>
        <HeadEnd />
      </header>
      <ReloadBanner />
      <main ref={main} id="main" tabIndex={-1} class="view" aria-label={view.title}>
        <h1 class="visually-hidden">{view.title}</h1>
        <view.View key={view.name} />
      </main>
      <Toasts />
    </div>
  );
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
