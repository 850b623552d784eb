import type { DeploymentFacts, Subject } from "./define-subject.ts";
import type { DeclaredApp } from "./plan-app.ts";

/** @param contentOf by subject's name; undefined if the file does not exist */
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
