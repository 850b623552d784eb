import type { DeploymentFacts, Subject } from "./define-subject.ts";
import type { DeclaredApp } from "./plan-app.ts";

/**
 * Gives what the files of config/app/ say of one app, together.
 * @param contentOf Gives a file's content by its subject's name; undefined where there is none.
 */
export function declareApp(
  all: readonly Subject[],
  contentOf: (subject: string) => unknown,
  facts: DeploymentFacts,
): DeclaredApp {
  const declared = all.flatMap((subject) => {
    const content = contentOf(subject.name);
    return content === undefined ? [] : [subject.declare(content, facts)];
  });
  return {
    wanted: declared.flatMap(({ wanted }) => wanted),
    absent: declared.flatMap(({ absent }) => absent),
  };
}
