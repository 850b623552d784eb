import { useEffect } from "preact/hooks";

/** Ctrl+K, or ⌘K; not while a dialog is open. */
export function useSearchKey(onOpen: () => void): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      if (document.querySelector("dialog[open]") === null) onOpen();
    };
    addEventListener("keydown", hear);
    return () => removeEventListener("keydown", hear);
  }, []);
}

export function SearchButton({ onOpen }: { readonly onOpen: () => void }) {
  return (
    <button
      type="button"
      class="quiet"
      aria-label="Search"
      aria-keyshortcuts="Control+K"
      title="Search (Ctrl+K)"
      onClick={onOpen}
    >
      <svg viewBox="0 0 20 20" width="16" height="16" aria-hidden="true">
        <path
          d="m13 13 5 5M8.5 14a5.5 5.5 0 1 1 0-11 5.5 5.5 0 0 1 0 11Z"
          fill="none"
          stroke="currentColor"
          stroke-width="1.8"
        />
      </svg>
    </button>
  );
}
