import * as z from "zod/mini";
import type { DeclaredApp } from "./plan-app.ts";
import type { AbsentThing, Fields, FoundThing, Kind, WantedThing } from "./thing.ts";

/** Values that a declaration may leave to the deployment. */
export interface DeploymentFacts {
  readonly appId: string;
  /** The deployment's webhook address for this app; undefined if unknown. */
  readonly webhookUrl: string | undefined;
  /** The triggers that the deployment's trigger handlers and flows need; undefined if unknown. */
  readonly neededTriggers: readonly string[] | undefined;
  /** Returns the field of the app's secret that contains a text; used when files are written. */
  readonly secretNameOf?: ((text: string) => string | undefined) | undefined;
}

export type FoundByKind = ReadonlyMap<string, readonly FoundThing[]>;

/** One file of config/app/: its schema and its resources. */
export interface Subject {
  /** `moderation-reasons` is config/app/moderation-reasons.yml. */
  readonly name: string;
  readonly schema: z.ZodMiniType;
  /** In order of creation. */
  readonly kinds: readonly Kind[];
  /**
   * Returns the resources that a file's content declares. @throws ZodError for content that the build did not
   * check
   */
  readonly declare: (content: unknown, facts: DeploymentFacts) => DeclaredApp;
  /** Returns the content that declares the found resources: stable, and without secrets. */
  readonly write: (found: FoundByKind, facts: DeploymentFacts) => Readonly<Record<string, unknown>>;
}

/** A subject's definition: `declare` receives checked content. */
export interface SubjectDefinition<Content> extends Omit<Subject, "schema" | "declare"> {
  readonly schema: z.ZodMiniType<Content>;
  readonly wanted: (content: Content, facts: DeploymentFacts) => readonly WantedThing[];
  readonly absent: (content: Content) => readonly AbsentThing[];
}

export function defineSubject<Content>(definition: SubjectDefinition<Content>): Subject {
  const { schema, wanted, absent, ...subject } = definition;
  return {
    ...subject,
    schema,
    declare: (content, facts) => {
      const checked = schema.parse(content);
      return { wanted: wanted(checked, facts), absent: absent(checked) };
    },
  };
}

/**
 * A file with one list of resources, and the ids of those that must not exist: they are deleted, if that is
 * allowed.
 */
export interface ListDefinition<Item> extends Pick<Subject, "name"> {
  /** The list's key in the file. */
  readonly list: string;
  /** The field with an item's id. Default: `id`. */
  readonly idField?: string;
  readonly items: z.ZodMiniType<readonly Item[]>;
  /** The first one's ids are those of the list. */
  readonly kinds: readonly [Kind, ...Kind[]];
  readonly wanted: (item: Item, facts: DeploymentFacts) => readonly WantedThing[];
  /** Default: the id and the fields. */
  readonly write?: (thing: FoundThing, facts: DeploymentFacts, found: FoundByKind) => Fields;
}

export function defineListSubject<Item>(definition: ListDefinition<Item>): Subject {
  const { name, list, idField = "id", items, kinds, wanted } = definition;
  const { write = ({ id, fields }) => ({ [idField]: id, ...fields }) } = definition;
  const absentIds = z.array(z.string().check(z.minLength(1)));
  const schema = z
    .strictObject({ [list]: items, absent: z.optional(absentIds) })
    .check(({ value, issues }) => {
      const ids = new Set([value[list]].flat().map((item) => Reflect.get(Object(item), idField)));
      for (const [index, id] of (value.absent ?? []).entries()) {
        if (!ids.has(id)) continue;
        const message = `"${id}" is declared above, too`;
        issues.push({ code: "custom", input: id, path: ["absent", index], message });
      }
    });
  const [{ name: kind }] = kinds;
  return defineSubject({
    ...{ name, schema, kinds },
    wanted: (content, facts) => items.parse(content[list]).flatMap((item) => wanted(item, facts)),
    absent: ({ absent = [] }) => absentIds.parse(absent).map((id) => ({ kind, id })),
    write: (found, facts) => ({ [list]: (found.get(kind) ?? []).map((thing) => write(thing, facts, found)) }),
  });
}
