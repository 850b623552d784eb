import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Badge } from "../parts/badge.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { notifyFailed } from "../parts/toasts.tsx";
import type { Hit, HitKind } from "./hits.ts";
import { jump } from "./jump.ts";
import { useSearch } from "./use-search.ts";

/** Finds what the local stack holds, and the page's views. */
export function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const { kinds, isLoading, note } = useSearch(text);
  const hits = kinds.flatMap((kind) => kind.hits);
  const chosen = hits[Math.min(active, hits.length - 1)];
  const id = useId();
  const idOf = (hit: Hit) => `${id}-${hits.indexOf(hit)}`;
  // Before the next key.
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (chosen !== undefined) document.getElementById(idOf(chosen))?.scrollIntoView({ block: "nearest" });
  }, [chosen]);

  const open = async ({ to }: Hit) => {
    onClose();
    try {
      jump(typeof to === "string" ? to : await to());
    } catch (error) {
      notifyFailed(error);
    }
  };
  const press = (event: KeyboardEvent) => {
    if (event.isComposing || chosen === undefined) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setActive((hits.indexOf(chosen) + step + hits.length) % hits.length);
    else if (event.key === "Enter") void open(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        ref={field}
        class="search-field"
        type="text"
        role="combobox"
        aria-label="Search everything"
        placeholder="Text, id, person, group, operation, view …"
        spellcheck={false}
        autocomplete="off"
        maxLength={200}
        aria-autocomplete="list"
        aria-expanded={hits.length > 0}
        aria-controls={hits.length > 0 ? id : undefined}
        aria-activedescendant={chosen && idOf(chosen)}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
        }}
        onKeyDown={press}
      />
      {hits.length > 0 && <Hits {...{ kinds, chosen, id, idOf }} onOpen={(hit) => void open(hit)} />}
      <p class="soft" role="status">
        {isLoading
          ? "Searching …"
          : text.trim() !== "" && hits.length === 0
            ? `No match for “${text}”.`
            : note}
      </p>
    </Dialog>
  );
}

interface HitsProps {
  readonly kinds: readonly HitKind[];
  readonly chosen: Hit | undefined;
  readonly id: string;
  readonly idOf: (hit: Hit) => string;
  readonly onOpen: (hit: Hit) => void;
}

function Hits({ kinds, chosen, id, idOf, onOpen }: HitsProps) {
  return (
    <div id={id} role="listbox" aria-label="Hits" class="search-hits">
      {kinds.map(({ title, hits }) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields
        <div key={title} role="group" aria-label={title}>
          <p class="soft small" aria-hidden="true">
            {title}
          </p>
          {hits.map((hit) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keyboard
            <div
              key={hit.key}
              id={idOf(hit)}
              role="option"
              tabIndex={-1}
              aria-selected={hit === chosen}
              class="entry"
              onClick={() => onOpen(hit)}
            >
              <span class="row">
                {hit.title} {hit.badge !== undefined && <Badge>{hit.badge}</Badge>}
              </span>
              <span class="soft small clip">{hit.says}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
