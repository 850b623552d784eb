import { useState } from "preact/hooks";
import type { FlowValue } from "../../../api/flows.ts";
import { Button } from "../../parts/button.tsx";
import { JsonView, readable } from "../../parts/json-view.tsx";

export function Value({ id, label, value }: { id: string; label: string; value: FlowValue }) {
  const [whole, setWhole] = useState<string>();
  const load = async () => {
    const path = `/api/flows/${encodeURIComponent(id)}/values/${encodeURIComponent(value.valueId)}`;
    const response = await fetch(path);
    if (!response.ok) throw new Error("The value is no longer kept.");
    setWhole(await response.text());
  };
  const text = whole ?? value.text;
  return (
    <div class="stack">
      <JsonView label={label} value={value.isCut && whole === undefined ? `${text} …` : readable(text)} />
      {value.isCut && whole === undefined && (
        <Button kind="quiet" act={load} label={`Show all of ${label}, ${sizeOf(value.bytes)}`}>
          Show all ({sizeOf(value.bytes)})
        </Button>
      )}
    </div>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${Math.round(bytes / 1_000)} kB`;
}
