import type { DeploymentFacts, Subject } from "./define-subject.ts";
import type { AppApis, FoundThing } from "./thing.ts";

export interface ExportedFile {
  /** `roles` is config/app/roles.yml. */
  readonly subject: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** What the platform has and a valid file may not contain: `roles.0.description: …`. */
  readonly unfit: readonly string[];
}

export interface ExportedApp {
  readonly files: readonly ExportedFile[];
  /** Not readable without management credentials. */
  readonly unseen: readonly string[];
}

/**
 * In a fixed order, without secrets. Omits unchanged resources that the platform created, unless requested:
 * the platform may improve them.
 */
export async function exportApp(
  all: readonly Subject[],
  apis: AppApis,
  facts: DeploymentFacts,
  { withUntouched = false }: { readonly withUntouched?: boolean } = {},
): Promise<ExportedApp> {
  const files: ExportedFile[] = [];
  const unseen: string[] = [];
  for (const subject of all) {
    const found = new Map<string, readonly FoundThing[]>();
    for (const kind of subject.kinds) {
      const calls = kind.connect(apis);
      if (calls === undefined) continue;
      const things = await calls.list("all");
      found.set(
        kind.name,
        things
          .filter((thing) => withUntouched || thing.isUntouched !== true)
          .toSorted(({ id: one }, { id: other }) => (one < other ? -1 : 1)),
      );
    }
    if (found.size < subject.kinds.length) unseen.push(subject.name);
    else {
      const content = subject.write(found, facts);
      const problems = subject.schema.safeParse(content).error?.issues ?? [];
      const unfit = problems.map(({ path, message }) => `${path.map(String).join(".")}: ${message}`);
      files.push({ subject: subject.name, content, unfit });
    }
  }
  return { files, unseen };
}
