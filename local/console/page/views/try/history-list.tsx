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
    <section class="try-history" aria-label="Sent before">
      <div class="try-bar">
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
                class="quiet try-again"
                aria-label={`Load again: ${one.entry}, result ${one.came}`}
                onClick={() => onLoad(one)}
              >
                <Badge tone={one.isGood ? "good" : "bad"}>{one.came}</Badge>
                <span class="tree-name">{one.entry}</span>
                <Time ms={one.atMs} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
