import "./world.css";
import { go, toHash, useRoute } from "../../parts/route.ts";
import { nameOfApp, useFacts } from "../../parts/use-facts.ts";
import { type WorldPart, worldParts } from "./parts.ts";
import { useAppId } from "./use-app-id.ts";

const all = worldParts.flatMap(([, parts]) => parts);

export function WorldView() {
  const { rest, query } = useRoute();
  const part = all.find(({ name }) => name === rest[0]) ?? all[0];
  if (part === undefined) return null;
  const app = query.get("app") ?? undefined;
  const { Part } = part;
  return (
    <div class="world">
      <aside class="world-side">
        <AppChoice part={part} />
        <nav aria-label="Parts of the world" class="world-nav">
          {worldParts.map(([heading, parts]) => (
            <section key={heading} aria-label={heading}>
              <p class="soft small" aria-hidden="true">
                {heading}
              </p>
              {parts.map(({ name, title }) => (
                <a
                  key={name}
                  class="entry"
                  href={toHash("world", [name], { app })}
                  aria-current={name === part.name ? "page" : undefined}
                >
                  {title}
                </a>
              ))}
            </section>
          ))}
        </nav>
        <PartChoice part={part} app={app} />
      </aside>
      <section class="page stack" aria-label={part.title}>
        <Part key={part.name} />
      </section>
    </div>
  );
}

function AppChoice({ part }: { part: WorldPart }) {
  const apps = useFacts()?.apps ?? [];
  const appId = useAppId();
  const isThere = apps.some((app) => app.appId === appId);
  if (apps.length < 2 && isThere) return null;
  return (
    <label class="small">
      <span>App</span>
      <select
        value={appId}
        onChange={({ currentTarget }) => go(toHash("world", [part.name], { app: currentTarget.value }))}
      >
        {!isThere && <option value={appId}>{appId} (not found)</option>}
        {apps.map((app) => (
          <option key={app.appId} value={app.appId}>
            {nameOfApp(app, apps)}
          </option>
        ))}
      </select>
    </label>
  );
}

function PartChoice({ part, app }: { part: WorldPart; app: string | undefined }) {
  return (
    <select
      class="world-choice"
      aria-label="Part of the world"
      value={part.name}
      onChange={({ currentTarget }) => go(toHash("world", [currentTarget.value], { app }))}
    >
      {worldParts.map(([heading, parts]) => (
        <optgroup key={heading} label={heading}>
          {parts.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}
