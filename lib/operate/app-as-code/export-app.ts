import { isRecord } from "../../base/json.ts";
import type { ChatApiError } from "../../chat/errors.ts";
import { lacksFeature } from "../../chat/lacks-feature.ts";
import type { ExportFacts, Subject } from "./define-subject.ts";
import { nameSecrets, type ShownFile } from "./name-secrets.ts";
import type { AppApis, Fields, FoundResource } from "./resource.ts";
import { isSecretReference, partAt, replaceParts } from "./secret-reference.ts";

/**
 * In a fixed order, without secrets. Omits the platform's unchanged resources unless requested, and features
 * that it refuses.
 * @throws what the client throws, also if the platform refuses all
 */
export async function exportApp(
  all: readonly Subject[],
  apis: AppApis,
  facts: ExportFacts,
  { withUntouched = false, contentOf = () => undefined, elsewhere = [] }: ExportOptions = {},
) {
  const shown: ShownFile[] = [];
  /** Needs management credentials. */
  const unseen: string[] = [];
  /** For example `keyword-lists`, or `agents (variable)` of an otherwise complete file. */
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
    /** A valid file may not have these: `roles.0.description: …`. */
    const unfit = [...problemsOf(content, subject), ...problems];
    return { subject: subject.name, content, unfit };
  });
  return { files, unseen, refused, ...notes };
}

interface ExportOptions {
  readonly withUntouched?: boolean;
  readonly contentOf?: (subject: string) => unknown;
  readonly elsewhere?: readonly string[];
}

function problemsOf(content: Fields, { schema }: Subject) {
  const problems = schema.safeParse(content).error?.issues ?? [];
  return problems.map(({ path, message }) => {
    const isReference = [path, path.slice(0, -1)].some((place) => isSecretReference(partAt(content, place)));
    const problem = isReference
      ? "has a value of the app's secret, and no reference may stand there"
      : message;
    return `${path.map(String).join(".")}: ${problem}`;
  });
}

function withoutSecretKeys(content: Fields, { hideSecrets }: ExportFacts) {
  const problems: string[] = [];
  const hide = (part: unknown, path: readonly PropertyKey[]): unknown => {
    if (!isRecord(part) || isSecretReference(part)) return part;
    const entries = Object.entries(part).map(([name, value]) => {
      const shown = hideSecrets(name);
      const place = [...path, shown];
      if (shown !== name)
        problems.push(`${place.map(String).join(".")}: has a value of the app's secret in its name`);
      return [shown, replaceParts(value, hide, place)] as const;
    });
    return Object.fromEntries(entries);
  };
  return { content: Object(replaceParts(content, hide)), problems };
}
