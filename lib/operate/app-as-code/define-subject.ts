import type * as z from "zod/mini";
import type { DeclaredApp } from "./plan-app.ts";
import type { AbsentThing, FoundThing, Kind, WantedThing } from "./thing.ts";

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
