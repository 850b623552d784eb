import type { TryActors, TryEntry, TryExamination } from "../../../api/try.ts";
import { Button } from "../../parts/button.tsx";
import { Badge } from "../../parts/texts.tsx";
import { type Resource, useResource, useSettled } from "../../parts/use-resource.ts";

const typingMs = 250;

export function useExamination(entry: string, appId: string, text: string): Resource<TryExamination> {
  const body = { entry, appId, text: useSettled(text, typingMs) };
  return useResource<TryExamination>("/api/try/examine", [], { body, keepsValue: true });
}

interface OutlookProps extends TryExamination {
  readonly entry: TryEntry;
  readonly appId: string;
  readonly makeMissing: () => Promise<void>;
}

export function Outlook({ entry, appId, trigger, problems, missing, makeMissing }: OutlookProps) {
  const isQuestion = entry.kind === "question";
  const path = `/api/try/actors/${encodeURIComponent(appId)}/${encodeURIComponent(trigger ?? "")}`;
  const actors = useResource<TryActors>(trigger && path, ["reload"]);
  const acts = problems.length > 0 || isQuestion ? undefined : actors.value?.acts;
  return (
    <section class="stack" aria-label="What would happen">
      {problems.length > 0 && (
        <div class="trouble">
          <p>{isQuestion ? "It could not be parsed:" : "It would be quarantined:"}</p>
          <ul class="bullets">
            {problems.map(({ path: place, words }) => (
              <li key={place}>
                {place !== "" && <code>{place}</code>} {words}
              </li>
            ))}
          </ul>
        </div>
      )}
      {acts && (
        <p class="row soft">
          {acts.length === 0 ? "No trigger that handles it is on." : "Handled by"}
          {acts.map((name) => (
            <Badge key={name}>{name}</Badge>
          ))}
        </p>
      )}
      {actors.error && <p class="soft">{actors.error}</p>}
      {missing.length > 0 && (
        <div class="stack">
          <p class="soft">The platform does not have {listOf(missing)}.</p>
          <Button act={makeMissing}>Create what it refers to</Button>
        </div>
      )}
    </section>
  );
}

function listOf(names: readonly string[]) {
  const shown = names.slice(0, 6).join(", ");
  return names.length > 6 ? `${shown} and ${names.length - 6} more` : shown;
}
