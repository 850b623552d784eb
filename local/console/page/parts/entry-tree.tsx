import { useEffect, useRef, useState } from "preact/hooks";
import { TextField } from "./field.tsx";
import { Badge } from "./texts.tsx";

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly badge?: string | undefined;
  readonly description: string;
}

interface Family {
  readonly title: string;
  readonly group?: string;
  readonly entries: readonly Entry[];
}

export function EntryTree({
  label,
  find,
  placeholder,
  families,
  chosen,
  isOpen = false,
  hrefOf,
}: {
  readonly label: string;
  readonly find: string;
  readonly placeholder: string;
  readonly families: readonly Family[];
  readonly chosen: string | undefined;
  /** Whether every family starts open. Default: only the chosen entry's. */
  readonly isOpen?: boolean;
  readonly hrefOf: (id: string) => string;
}) {
  const [search, setSearch] = useState("");
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    nav.current?.querySelector("section:has([aria-current])")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = families
    .map((family) => ({ ...family, entries: family.entries.filter((entry) => fits(entry, family, words)) }))
    .filter(({ entries }) => entries.length > 0);
  return (
    <nav ref={nav} class="list column" aria-label={label}>
      <div class="bar">
        <TextField type="search" label={find} placeholder={placeholder} value={search} onInput={setSearch} />
      </div>
      <div class="scroll tree">
        {found.map(({ title, group, entries }, place) => (
          <section key={`${group}.${title}`} aria-label={title}>
            {group !== undefined && group !== found[place - 1]?.group && <h2 class="soft">{group}</h2>}
            <details open={isOpen || words.length > 0 || entries.some(({ id }) => id === chosen)}>
              <summary class="tree-family">{title}</summary>
              <ul>
                {entries.map(({ id, name, badge, description }) => (
                  <li key={id}>
                    <a href={hrefOf(id)} class="entry" aria-current={id === chosen ? "page" : undefined}>
                      <span class="row">
                        {name}
                        {badge && <Badge>{badge}</Badge>}
                      </span>
                      <span class="soft small clip">{description}</span>
                    </a>
                  </li>
                ))}
              </ul>
            </details>
          </section>
        ))}
        {found.length === 0 && <p class="soft">No match for “{search}”.</p>}
      </div>
    </nav>
  );
}

function fits({ id, name, description }: Entry, { title, group = "" }: Family, words: readonly string[]) {
  const text = `${name} ${id} ${id.replaceAll(/[_-]/g, " ")} ${description} ${title} ${group}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
