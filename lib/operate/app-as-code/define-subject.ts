import type * as z from "zod/mini";
import type { DeclaredApp } from "./plan-app.ts";
import type { AbsentThing, FoundThing, Kind, WantedThing } from "./thing.ts";

/** What a declaration may leave to the deployment. */
export interface DeploymentFacts {
  readonly appId: string;
  /** Where the deployment takes this app's webhooks; undefined where nobody knows. */
  readonly webhookUrl: string | undefined;
  /** The triggers that the deployment's trigger handlers and flows are made for; undefined where nobody knows. */
  readonly neededTriggers: readonly string[] | undefined;
  /** Finds the field of the app's secret that has a text; for files that are written. */
  readonly secretNameOf?: ((text: string) => string | undefined) | undefined;
}

/** What was found, by the name of its kind. */
export type FoundByKind = ReadonlyMap<string, readonly FoundThing[]>;

/** One file of config/app/: what it may hold, and what that comes to. */
export interface Subject {
  /** `moderation-reasons` is config/app/moderation-reasons.yml. */
  readonly name: string;
  readonly schema: z.ZodMiniType;
  /** In the order in which things are made. */
  readonly kinds: readonly Kind[];
  /** Gives the things that a file's content declares. @throws ZodError for content that the build did not check */
  readonly declare: (content: unknown, facts: DeploymentFacts) => DeclaredApp;
  /** Gives the content that declares what was found: stable, and without secrets. */
  readonly write: (found: FoundByKind, facts: DeploymentFacts) => Readonly<Record<string, unknown>>;
}

/** What a subject is made of: `declare` gets checked content. */
export interface SubjectDefinition<Content> extends Omit<Subject, "schema" | "declare"> {
  readonly schema: z.ZodMiniType<Content>;
  readonly wanted: (content: Content, facts: DeploymentFacts) => readonly WantedThing[];
  readonly absent: (content: Content) => readonly AbsentThing[];
}

/** Makes a subject; nothing is read. */
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
