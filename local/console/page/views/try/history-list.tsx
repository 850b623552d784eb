import { useState } from "preact/hooks";
import { Badge } from "../../parts/badge.tsx";
import { Time } from "../../parts/time.tsx";
import type { Tried } from "./history.ts";

export function HistoryList({
  tried,
  onLoad,
  onClear,
}: {
  readonly tried: readonly Tried[];
  readonly onLoad: (tried: Tried) => void;
  readonly onClear: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  if (tried.length === 0) return null;
  return (
    <section aria-label="Sent before">
      <div class="row is-apart">
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "▾" : "▸"} Sent before ({tried.length})
        </button>
        {isOpen && (
          <button type="button" class="quiet" onClick={onClear}>
            Clear all
          </button>
        )}
      </div>
      {isOpen && (
        <ul>
          {tried.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                class="quiet row try-again"
                aria-label={`Load again: ${one.entry}, result ${one.came}`}
                onClick={() => onLoad(one)}
              >
                <Badge tone={one.isGood ? "good" : "bad"}>{one.came}</Badge>
                <span class="clip">{one.entry}</span>
                <Time ms={one.atMs} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
