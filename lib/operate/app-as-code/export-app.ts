import type { ChatApiError } from "../../chat/errors.ts";
import { lacksFeature } from "../../chat/lacks-feature.ts";
import type { DeploymentFacts, Subject } from "./define-subject.ts";
import {
  isMasked,
  isSecretReference,
  partAt,
  placeOf,
  referencesIn,
  referenceTo,
  replaceParts,
} from "./secret-reference.ts";
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
  /** `keyword-lists`, or `agents (variable)` of a file that is otherwise complete. */
  readonly refused: readonly { readonly what: string; readonly error: ChatApiError }[];
  /** Referenced fields of the app's secret that have another value than the platform. */
  readonly otherValues: readonly string[];
}

/**
 * In a fixed order, without secrets. Omits unchanged resources that the platform created, unless requested:
 * the platform may improve them. Omits what belongs to a feature that the platform refuses.
 * @throws what the client throws, also if the platform refuses all
 */
export async function exportApp(
  all: readonly Subject[],
  apis: AppApis,
  facts: DeploymentFacts,
  { withUntouched = false }: { readonly withUntouched?: boolean } = {},
): Promise<ExportedApp> {
  const files: ExportedFile[] = [];
  const unseen: string[] = [];
  const otherValues = new Set<string>();
  const { secretNameOf, hasSecret } = facts;
  const watched: DeploymentFacts = {
    ...facts,
    secretNameOf: (text, ownName) => {
      const name = secretNameOf?.(text, ownName);
      if (name === undefined && hasSecret?.(ownName) && !isMasked(text)) otherValues.add(ownName);
      return name;
    },
  };
  const refused: { what: string; error: ChatApiError }[] = [];
  for (const subject of all) {
    const found = new Map<string, readonly FoundThing[]>();
    const refusals = new Map<string, ChatApiError>();
    for (const kind of subject.kinds) {
      const calls = kind.connect(apis);
      if (calls === undefined) continue;
      const things = await calls.list("all").catch((error: unknown) => {
        if (!lacksFeature(error, { byStatus: true })) throw error;
        refusals.set(kind.name, error);
        return [];
      });
      found.set(
        kind.name,
        things
          .filter((thing) => withUntouched || thing.isUntouched !== true)
          .toSorted(({ id: one }, { id: other }) => (one < other ? -1 : 1)),
      );
    }
    const isWhole = refusals.size === subject.kinds.length;
    const [error] = refusals.values();
    if (error !== undefined) {
      const what = isWhole ? subject.name : `${subject.name} (${[...refusals.keys()].join(", ")})`;
      refused.push({ what, error });
    }
    if (isWhole) continue;
    if (found.size < subject.kinds.length) unseen.push(subject.name);
    else {
      const content = withoutKnown(subject.write(found, watched), subject.name, watched);
      files.push({ subject: subject.name, content, unfit: problemsOf(content, subject) });
    }
  }
  const [first] = refused;
  if (first !== undefined && files.length + unseen.length === 0) throw first.error;
  const referenced = referencesIn(files.map(({ content }) => content));
  return {
    files,
    unseen,
    refused,
    otherValues: [...otherValues.intersection(new Set(referenced))].toSorted(),
  };
}

function problemsOf(content: ExportedFile["content"], { schema }: Subject): readonly string[] {
  const problems = schema.safeParse(content).error?.issues ?? [];
  return problems.map(({ path, message }) => {
    const isReference = isSecretReference(partAt(content, path));
    const problem = isReference
      ? "has a value of the app's secret, and no reference may stand there"
      : message;
    return `${path.map(String).join(".")}: ${problem}`;
  });
}

/** Each text with a value of the app's secret becomes a reference. */
function withoutKnown(
  content: ExportedFile["content"],
  subject: string,
  known: DeploymentFacts,
): ExportedFile["content"] {
  const { hideSecrets = (text) => text } = known;
  return Object(
    replaceParts(content, (part, path) => {
      if (isSecretReference(part)) return { ...part };
      if (typeof part !== "string" || hideSecrets(part) === part) return part;
      return referenceTo(part, [subject, ...placeOf(content, path)], known);
    }),
  );
}
