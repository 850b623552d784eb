import type { ReloadAnswer, ReloadProblemAnswer } from "../../api/reload.ts";
import { SourceLink } from "./facts.tsx";
import { useResource } from "./use-resource.ts";

export function ReloadBanner() {
  const reload = useResource<ReloadAnswer>("/api/reload", ["reload"]).value;
  const problems = reload?.state === "live" ? [] : (reload?.problems ?? []);
  return (
    <div role="status">
      {reload !== undefined && reload.needsRestart.length > 0 && (
        <p class="reload-banner is-waiting">
          <strong>serverless.yml was edited:</strong> end <code>npm start</code> and start it again to apply{" "}
          {reload.needsRestart.join(", ")}.
        </p>
      )}
      {reload !== undefined && problems.length > 0 && (
        <section class="reload-banner is-bad" aria-label="Edit with errors">
          <p>
            <strong>{namesOf(brokenFiles(reload))} cannot run.</strong> The previous code continues to run
            {reload.state === "building" ? "; the next edit is being loaded …" : "."}
          </p>
          <ul class="stack">
            {problems.slice(0, mostShown).map((problem) => (
              <li key={`${placeOf(problem)} ${problem.functionKeys} ${problem.text}`}>
                <Problem problem={problem} />
              </li>
            ))}
          </ul>
          {problems.length > mostShown && <p>{problems.length - mostShown} more are in the terminal.</p>}
        </section>
      )}
    </div>
  );
}

export function ReloadChip() {
  const reload = useResource<ReloadAnswer>("/api/reload", ["reload"]).value;
  if (reload === undefined || reload.revision === 1) return null;
  const { state, tookMs, changedFiles } = reload;
  const said =
    state === "building"
      ? "reloading …"
      : state === "broken"
        ? "edit has errors"
        : `edit live in ${((tookMs ?? 0) / 1000).toFixed(2)} s`;
  return (
    <span class={`small toned is-spare is-${state}`} title={namesOf(changedFiles)}>
      {said}
    </span>
  );
}

const mostShown = 3;

function Problem({ problem }: { problem: ReloadProblemAnswer }) {
  const { column, text, lineText, functionKeys = [], stack = [] } = problem;
  const place = placeOf(problem);
  return (
    <>
      <p class="row">
        {place !== "" && <SourceLink place={place} />}
        <span>
          {functionKeys.length === 1 && `${functionKeys[0]} does not load: `}
          {functionKeys.length > 1 && `${functionKeys.join(", ")} do not load: `}
          {text}
        </span>
      </p>
      {lineText && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long line is scrolled by the keyboard, too
        <pre tabIndex={0}>
          {lineText}
          {column !== undefined && `\n${lineText.slice(0, column - 1).replaceAll(/[^\t]/g, " ")}^`}
        </pre>
      )}
      {stack.length > 1 && (
        <details>
          <summary>Stack</summary>
          <ol class="bullets">
            {stack.map((frame) => (
              <li key={frame}>
                <code>{frame}</code>
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

function placeOf({ file, line, column }: ReloadProblemAnswer): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** The latest edit is not always the one with the error. */
function brokenFiles({ problems, changedFiles }: ReloadAnswer): readonly string[] {
  const files = new Set(problems.flatMap(({ file }) => file ?? []));
  return files.size > 0 ? [...files] : changedFiles;
}

function namesOf(files: readonly string[]): string {
  return files.length > 2 ? `An edit of ${files.length} files` : files.join(" and ");
}
