import "./world.css";
import { appOptions, useAppId, useFacts } from "../../parts/facts.tsx";
import { Select, SelectField } from "../../parts/field.tsx";
import { go, toHash, useRoute } from "../../parts/route.ts";
import { worldParts } from "./parts.ts";

const all = worldParts.flatMap(([, parts]) => parts);

export function WorldView() {
  const { rest, query } = useRoute();
  const appId = useAppId();
  const apps = appOptions(useFacts()?.apps ?? [], appId);
  const part = all.find(({ name }) => name === rest[0]) ?? all[0];
  if (part === undefined) return null;
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
        <Select
          class="world-choice"
          label="Part of the world"
          value={part.name}
          options={all.map(({ name, title }) => [name, title])}
          onInput={(name) => go(toHash("world", [name], { app }))}
        />
      </aside>
      <section class="page stack" aria-label={part.title}>
        <Part key={part.name} />
      </section>
    </div>
  );
}
