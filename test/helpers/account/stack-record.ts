export interface StackResource {
  readonly logicalId: string;
  readonly type: string;
  physicalId: string;
  status: string;
  reason?: string | undefined;
  definition: TemplateResource;
}

export interface TemplateResource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export interface Template {
  readonly Resources: Readonly<Record<string, TemplateResource>>;
  readonly Outputs?: Readonly<Record<string, { readonly Value: unknown }>>;
}

export interface StackEvent {
  readonly id: string;
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
  readonly status: string;
  readonly reason?: string | undefined;
  readonly at: Date;
}

export interface Change {
  readonly action: "Add" | "Modify" | "Remove" | "Import";
  readonly logicalId: string;
  readonly physicalId?: string | undefined;
  readonly type: string;
  readonly replacement?: "True" | "False" | undefined;
  readonly policyAction?: string | undefined;
}

export interface ChangeSet {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  status: string;
  reason?: string | undefined;
  readonly template: Template;
  readonly body: string;
  readonly tags: string;
  readonly changes: readonly Change[];
}

export interface StackRecord {
  readonly id: string;
  readonly name: string;
  status: string;
  reason?: string | undefined;
  isProtected: boolean;
  readonly createdAt: Date;
  updatedAt?: Date | undefined;
  deletedAt?: Date | undefined;
  template: Template;
  body: string;
  /** Names and values, in order. */
  tags: string;
  readonly resources: Map<string, StackResource>;
  readonly changeSets: Map<string, ChangeSet>;
  readonly events: StackEvent[];
}
