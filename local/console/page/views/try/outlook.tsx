import type { TryActors, TryEntry } from "../../../api/try.ts";
import { Badge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { useResource } from "../../parts/use-resource.ts";
import { useExamination } from "./use-draft.ts";

interface OutlookProps {
  entry: TryEntry;
  appId: string;
  text: string;
  turn: number;
  makeMissing: () => Promise<void>;
}

export function Outlook({ entry, appId, text, turn, makeMissing }: OutlookProps) {
  const examination = useExamination(entry.id, appId, text, turn);
  const trigger = examination?.trigger;
  const actors = useResource<TryActors>(
    trigger === undefined
      ? undefined
      : `/api/try/actors/${encodeURIComponent(appId)}/${encodeURIComponent(trigger)}`,
    ["reload"],
  );
  if (examination === undefined) return null;
  const { problems, oddities, missing } = examination;
  const isRefused = problems.length > 0;
  return (
    <section class="stack" aria-label="What would happen">
      {isRefused && (
        <div class="trouble">
          <p>{entry.kind === "question" ? "It could not be parsed:" : "It would be quarantined:"}</p>
          <PlaceList class="bullets" places={problems} />
        </div>
      )}
      {entry.kind === "event" && !isRefused && actors.value !== undefined && (
        <p class="row">
          {actors.value.acts.length === 0 ? (
            <span class="soft">No trigger that handles it is on.</span>
          ) : (
            <>
              <span class="soft">Handled by</span>
              {actors.value.acts.map((name) => (
                <Badge key={name}>{name}</Badge>
              ))}
            </>
          )}
        </p>
      )}
      {actors.error !== undefined && <p class="soft">{actors.error}</p>}
      {oddities.length > 0 && (
        <details>
          <summary class="soft">{oddities.length} unexpected fields are read</summary>
          <PlaceList class="bullets" places={oddities} />
        </details>
      )}
      {missing.length > 0 && (
        <div class="stack">
          <p class="soft">The platform does not have {listOf(missing)}.</p>
          <Button act={makeMissing}>Create what it refers to</Button>
        </div>
      )}
    </section>
  );
}

function PlaceList({
  places,
  class: className,
}: {
  places: readonly { readonly path: string; readonly words: string }[];
  class?: string;
}) {
  return (
    <ul class={className}>
      {places.map(({ path, words }) => (
        <li key={path}>
          {path !== "" && <code>{path}</code>} {words}
        </li>
      ))}
    </ul>
  );
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, 6).join(", ");
  return names.length > 6 ? `${shown} and ${names.length - 6} more` : shown;
}
