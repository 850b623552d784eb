import { isRecord } from "../../base/json.ts";
import type { ChatApiError } from "../../chat/errors.ts";
import { lacksFeature } from "../../chat/lacks-feature.ts";
import type { DeploymentFacts, Subject } from "./define-subject.ts";
import { nameSecrets, type ShownFile } from "./name-secrets.ts";
import type { AppApis, Fields, FoundResource } from "./resource.ts";
import { isSecretReference, partAt } from "./secret-reference.ts";

export interface ExportedFile {
  /** `roles` is config/app/roles.yml. */
  readonly subject: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** Not allowed in a valid file: `roles.0.description: …`. */
  readonly unfit: readonly string[];
}

export interface ExportedApp {
  readonly files: readonly ExportedFile[];
  /** Not readable without management credentials. */
  readonly unseen: readonly string[];
  /** `keyword-lists`, or `agents (variable)` of a file that is otherwise complete. */
  readonly refused: readonly { readonly what: string; readonly error: ChatApiError }[];
  /** Fields of the app's secret that differ from the platform; new ones are referred to. */
  readonly otherValues: readonly string[];
  /** Fields of the app's secret for what the platform does not show. */
  readonly uncompared: readonly string[];
}

/**
 * In a fixed order, without secrets. Omits unchanged resources of the platform unless requested, and features
 * that it refuses.
 * @throws what the client throws, also if the platform refuses all
 */
export async function exportApp(
  all: readonly Subject[],
  apis: AppApis,
  facts: DeploymentFacts,
  { withUntouched = false, contentOf = () => undefined, elsewhere = [] }: ExportOptions = {},
): Promise<ExportedApp> {
  const shown: ShownFile[] = [];
  const unseen: string[] = [];
  const refused: { what: string; error: ChatApiError }[] = [];
  for (const subject of all) {
    const found = new Map<string, readonly FoundResource[]>();
    const refusals = new Map<string, ChatApiError>();
    for (const kind of subject.kinds) {
      const calls = kind.connect(apis);
      if (calls === undefined) continue;
      const resources = await calls.list("all").catch((error: unknown) => {
        if (!lacksFeature(error, { byStatus: true })) throw error;
        refusals.set(kind.name, error);
        return [];
      });
      found.set(
        kind.name,
        resources
          .filter((resource) => withUntouched || resource.isUntouched !== true)
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
      shown.push({ subject, content: subject.write(found, facts), declared: contentOf(subject.name) });
    }
  }
  const [first] = refused;
  if (first !== undefined && shown.length + unseen.length === 0) throw first.error;
  const { contents, ...notes } = nameSecrets(shown, facts, elsewhere);
  const files = shown.map(({ subject }, index) => {
    const { content, problems } = withoutSecretKeys(contents[index] ?? {}, facts);
    return { subject: subject.name, content, unfit: [...problemsOf(content, subject), ...problems] };
  });
  return { files, unseen, refused, ...notes };
}

export interface ExportOptions {
  readonly withUntouched?: boolean;
  readonly contentOf?: (subject: string) => unknown;
  readonly elsewhere?: readonly string[];
}

function problemsOf(content: ExportedFile["content"], { schema }: Subject): readonly string[] {
  const problems = schema.safeParse(content).error?.issues ?? [];
  return problems.map(({ path, message }) => {
    const isReference = [path, path.slice(0, -1)].some((place) => isSecretReference(partAt(content, place)));
    const problem = isReference
      ? "has a value of the app's secret, and no reference may stand there"
      : message;
    return `${path.map(String).join(".")}: ${problem}`;
  });
}

/** No reference can stand in place of a key. */
function withoutSecretKeys(content: Fields, { hideSecrets = (text) => text }: DeploymentFacts) {
  const problems: string[] = [];
  const hide = (part: unknown, path: readonly string[]): unknown => {
    if (Array.isArray(part)) return part.map((item, index) => hide(item, [...path, String(index)]));
    if (!isRecord(part) || isSecretReference(part)) return part;
    const entries = Object.entries(part).map(([name, value]) => {
      const shown = hideSecrets(name);
      if (shown !== name)
        problems.push(`${[...path, shown].join(".")}: has a value of the app's secret in its name`);
      return [shown, hide(value, [...path, shown])] as const;
    });
    return Object.fromEntries(entries);
  };
  return { content: Object(hide(content, [])), problems };
}
