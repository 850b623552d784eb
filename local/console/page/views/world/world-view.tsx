import "./world.css";
import { appOptions, useAppId, useFacts } from "../../parts/facts.tsx";
import { Select, SelectField } from "../../parts/field.tsx";
import { go, toHash, useRoute } from "../../parts/route.ts";
import { worldParts } from "./parts.ts";

export function WorldView() {
  const { rest, query } = useRoute();
  const appId = useAppId();
  const apps = appOptions(useFacts()?.apps ?? [], appId);
  const part = worldParts.find(({ name }) => name === rest[0]) ?? worldParts[0];
  const app = query.get("app") ?? undefined;
  const { Part } = part;
  return (
    <div class="world">
      <aside class="world-side">
        {appId !== undefined && apps.length > 1 && (
          <SelectField
            label="App"
            value={appId}
            options={apps}
            onInput={(chosen) => go(toHash("world", [part.name], { app: chosen }))}
          />
        )}
        <nav aria-label="Parts of the world" class="world-nav">
          {worldParts.map(({ name, title }) => (
            <a
              key={name}
              class="entry"
              href={toHash("world", [name], { app })}
              aria-current={name === part.name ? "page" : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <Select
          class="world-choice"
          label="Part of the world"
          value={part.name}
          options={worldParts.map(({ name, title }) => [name, title])}
          onInput={(name) => go(toHash("world", [name], { app }))}
        />
      </aside>
      <section class="page stack" aria-label={part.title}>
        <Part key={part.name} />
      </section>
    </div>
  );
}
