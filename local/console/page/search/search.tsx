import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { notifyFailed } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { open } from "../parts/route.ts";
import { Badge, Icon } from "../parts/texts.tsx";
import { type Hit, type HitKind, useHits } from "./hits.ts";

/** Search: a button, and Ctrl+K or ⌘K while no dialog is open. */
export function Search() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      if (document.querySelector("dialog[open]") === null) setOpen(true);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        class="quiet"
        aria-label="Search"
        aria-keyshortcuts="Control+K"
        title="Search (Ctrl+K)"
        onClick={() => setOpen(true)}
      >
        <Icon path="m13 13 5 5M8.5 14a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11Z" />
      </button>
      {isOpen && <SearchDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function SearchDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const { kinds, isLoading, note } = useHits(text);
  const hits = kinds.flatMap((kind) => kind.hits);
  const show = ({ to }: Hit) => {
    onClose();
    Promise.resolve(typeof to === "string" ? to : to()).then(open, notifyFailed);
  };
  const { chosen, press, forget } = useChoice(hits, isLoading, show);
  const id = useId();
  const idOf = (hit: Hit) => `${id}-${hits.indexOf(hit)}`;
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (chosen !== undefined) document.getElementById(idOf(chosen))?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const nothing = text.trim() !== "" && hits.length === 0 ? `No match for “${text}”.` : note;
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
          forget();
        }}
        onKeyDown={press}
      />
      {hits.length > 0 && <Hits kinds={kinds} chosen={chosen} id={id} idOf={idOf} onOpen={show} />}
      <p class="soft" role="status">
        {isLoading ? "Searching …" : nothing}
      </p>
    </Dialog>
  );
}

/** Returns the hit that Enter opens: the first, or one chosen by arrows. */
function useChoice(hits: readonly Hit[], isLoading: boolean, show: (hit: Hit) => void) {
  const [active, setActive] = useState<string>();
  const [isEntered, setEntered] = useState(false);
  // Later results move hits.
  const chosen = hits.find((hit) => placeOf(hit) === active) ?? hits[0];
  // The first hit may be one of the text before.
  useEffect(() => {
    if (isEntered && !isLoading && chosen !== undefined) show(chosen);
    if (!isLoading) setEntered(false);
  }, [isEntered, isLoading]);
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (event.key === "Enter") {
      if (active === undefined || chosen === undefined) setEntered(true);
      else show(chosen);
    } else if (step !== 0 && chosen !== undefined)
      setActive(placeOf(hits[(hits.indexOf(chosen) + step + hits.length) % hits.length] ?? chosen));
    else return;
    event.preventDefault();
  };
  const forget = () => {
    setActive(undefined);
    setEntered(false);
  };
  return { chosen, press, forget };
}

function placeOf({ title, to }: Hit) {
  return typeof to === "string" ? to : title;
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
              key={idOf(hit)}
              id={idOf(hit)}
              role="option"
              tabIndex={-1}
              aria-selected={hit === chosen}
              class="entry"
              onClick={() => onOpen(hit)}
            >
              <span class="row">
                {hit.title} {hit.badge && <Badge>{hit.badge}</Badge>}
              </span>
              <span class="soft small clip">{hit.description}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
