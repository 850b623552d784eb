import { useState } from "preact/hooks";
import type { TryCatalogue, TryEntry } from "../../../api/try.ts";
import { Badge } from "../../parts/badge.tsx";
import { TextField } from "../../parts/field.tsx";
import { toHash } from "../../parts/route.ts";

export function EntryList({
  catalogue,
  chosen,
  appId,
}: {
  readonly catalogue: TryCatalogue;
  readonly chosen: string | undefined;
  readonly appId: string | undefined;
}) {
  const [search, setSearch] = useState("");
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = catalogue.families
    .map((family) => ({
      ...family,
      entries: family.entries.filter((entry) => fits(entry, family.title, words)),
    }))
    .filter(({ entries }) => entries.length > 0);
  return (
    <nav class="try-list" aria-label="Events and questions">
      <div class="try-search">
        <TextField
          type="search"
          label="Find an event or a question"
          placeholder="reaction, left, moderation …"
          value={search}
          onInput={setSearch}
        />
      </div>
      <div class="try-families">
        {found.map(({ title, entries }) => (
          <section key={title} aria-label={title}>
            <h2 class="try-family">{title}</h2>
            <ul>
              {entries.map(({ id, trigger, says }) => (
                <li key={id}>
                  <a
                    href={toHash("try", [id], { app: appId })}
                    class="try-entry"
                    aria-current={id === chosen ? "page" : undefined}
                  >
                    <span class="try-entry-name">
                      {trigger}
                      {id !== trigger && <Badge>{id.slice(trigger.length + 1)}</Badge>}
                    </span>
                    <span class="soft try-says">{says}</span>
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
        {found.length === 0 && <p class="soft try-none">No match for “{search}”.</p>}
      </div>
    </nav>
  );
}

function fits({ trigger, id, says }: TryEntry, family: string, words: readonly string[]): boolean {
  const text = `${trigger} ${trigger.replaceAll(/[_-]/g, " ")} ${id} ${says} ${family}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
