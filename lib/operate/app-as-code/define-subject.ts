import * as z from "zod/mini";
import {
  type AbsentResource,
  type DeclaredApp,
  type Fields,
  type FoundResource,
  type Kind,
  someText,
  type WantedResource,
} from "./resource.ts";
import { type KnownSecrets, noPlainSecret } from "./secret-reference.ts";

export interface DeploymentFacts {
  readonly appId: string;
  /** Undefined if unknown. */
  readonly webhookUrl: string | undefined;
  /** The needs of trigger handlers and flows. Undefined if unknown. */
  readonly neededTriggers: readonly string[] | undefined;
}

export type ExportFacts = DeploymentFacts & KnownSecrets;

export type FoundByKind = ReadonlyMap<string, readonly FoundResource[]>;

export interface Subject {
  /** `moderation-reasons` is config/app/moderation-reasons.yml. */
  readonly name: string;
  readonly schema: z.ZodMiniType;
  readonly kinds: readonly Kind[];
  readonly declare: (content: unknown, facts: DeploymentFacts) => DeclaredApp;
  /** By list: how fields in the app's secret begin. Default: the path in the file. */
  readonly items?: Readonly<Record<string, readonly string[]>>;
  /** The list whose item names say whether their values are secret. */
  readonly namesSecrets?: string;
  readonly write: (found: FoundByKind, facts: ExportFacts) => Fields;
}

interface SubjectDefinition<Content> extends Omit<Subject, "schema" | "declare"> {
  readonly schema: z.ZodMiniType<Content>;
  readonly wanted: (content: Content, facts: DeploymentFacts) => readonly WantedResource[];
  readonly absent?: (content: Content) => readonly AbsentResource[];
}

export function defineSubject<Content>(definition: SubjectDefinition<Content>): Subject {
  const { schema, wanted, absent = () => [], ...subject } = definition;
  return {
    ...subject,
    schema,
    declare: (content, facts) => {
      const checked = schema.parse(content);
      return { wanted: wanted(checked, facts), absent: absent(checked) };
    },
  };
}

export function refuseDeclared(
  issues: z.core.$ZodRawIssue[],
  declared: readonly unknown[],
  absent: readonly unknown[] = [],
  path: readonly string[],
): void {
  for (const [index, id] of absent.entries()) {
    if (!declared.includes(id)) continue;
    const message = `"${id}" is declared above, too`;
    issues.push({ code: "custom", input: id, path: [...path, index], message });
  }
}

interface ListDefinition<Item> extends Pick<Subject, "name"> {
  readonly list: string;
  readonly named?: string;
  /** Default: `id`. */
  readonly idField?: string;
  readonly items: z.ZodMiniType<readonly Item[]>;
  /** The first kind has the ids of the list. */
  readonly kinds: readonly [Kind, ...Kind[]];
  /** Default: the id and the fields that `write` gets. */
  readonly wanted?: (item: Item, facts: DeploymentFacts) => readonly WantedResource[];
  readonly write?: (resource: FoundResource, facts: ExportFacts, found: FoundByKind) => Fields;
}

export function defineListSubject<Item extends Fields>(definition: ListDefinition<Item>): Subject {
  const { name, list, named, idField = "id", items, kinds } = definition;
  const [{ name: kind }] = kinds;
  const {
    wanted = ({ [idField]: id, ...fields }) => [{ kind, id: String(id), fields }],
    write = ({ id, fields }) => ({ [idField]: id, ...fields }),
  } = definition;
  const absentIds = z.array(someText());
  const shape = z.strictObject({ [list]: items, absent: z.optional(absentIds) });
  const schema = shape.check(noPlainSecret(shape), ({ value, issues }) => {
    const ids = [value[list]].flat().map((item) => Reflect.get(Object(item), idField));
    refuseDeclared(issues, ids, value.absent, ["absent"]);
  });
  return defineSubject({
    name,
    schema,
    kinds,
    ...(named === undefined ? {} : { items: { [list]: [named] } }),
    wanted: (content, facts) => items.parse(content[list]).flatMap((item) => wanted(item, facts)),
    absent: ({ absent = [] }) => absentIds.parse(absent).map((id) => ({ kind, id })),
    write: (found, facts) => ({
      [list]: (found.get(kind) ?? []).map((resource) => write(resource, facts, found)),
    }),
  });
}
