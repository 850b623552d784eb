import type { ReloadAnswer, ReloadProblemAnswer } from "../../api/reload.ts";
import { SourceLink } from "./facts.tsx";
import { useResource } from "./use-resource.ts";

const mostShown = 3;

export function ReloadBanner() {
  const reload = useResource<ReloadAnswer>("/api/reload", ["reload"]).value;
  if (reload === undefined) return <div role="status" />;
  const { state, needsRestart } = reload;
  const problems = state === "live" ? [] : reload.problems;
  return (
    <div role="status">
      {needsRestart.length > 0 && (
        <p class="reload-banner is-waiting">
          <strong>serverless.yml was edited:</strong> end <code>npm start</code> and start it again to apply{" "}
          {needsRestart.join(", ")}.
        </p>
      )}
      {problems.length > 0 && (
        <section class="reload-banner is-bad" aria-label="Edit with errors">
          <p>
            <strong>The edit cannot run.</strong> The previous code continues to run
            {state === "building" ? "; the next edit is being loaded …" : "."}
          </p>
          <ul class="stack">
            {problems.slice(0, mostShown).map((problem) => (
              <li key={JSON.stringify(problem)}>
                <Problem {...problem} />
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
  const { isPartial, tookMs = 0, changedFiles } = reload;
  const state = isPartial && reload.state === "live" ? "building" : reload.state;
  const words = {
    building: "reloading …",
    broken: "edit has errors",
    live: `edit live in ${(tookMs / 1000).toFixed(2)} s`,
  };
  return (
    <span class={`small toned is-spare is-${state}`} title={changedFiles.join(", ")}>
      {words[state]}
    </span>
  );
}

function Problem({ file, line, column, text, lineText, functionKeys = [], stack = [] }: ReloadProblemAnswer) {
  return (
    <>
      <p class="row">
        {file && <SourceLink place={[file, line, column].filter((part) => part !== undefined).join(":")} />}
        <span>
          {functionKeys.length > 0 && `${functionKeys.join(", ")} cannot load: `}
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
          <pre>{stack.join("\n")}</pre>
        </details>
      )}
    </>
  );
}
