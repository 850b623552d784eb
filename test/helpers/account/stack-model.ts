import { createHash } from "node:crypto";
import { AwsError } from "../../../local/cloud/aws-error.ts";
import { replacementOf, takesTheName } from "./resource-rules.ts";
import type {
  Change,
  ChangeSet,
  StackEvent,
  StackRecord,
  StackResource,
  Template,
  TemplateResource,
} from "./stack-record.ts";
import { evaluateLeniently } from "./template-values.ts";

/** A planned failure: the next time that an operation reaches a resource. */
export interface Mishap {
  readonly when: "create" | "update" | "delete" | "rollback";
  readonly logicalId: string;
  readonly reason: string;
}

export interface StackModelOptions {
  readonly region: string;
  readonly accountId: string;
  readonly now: () => number;
  /** Gives a resource the id of a real one, if there is one. */
  readonly physicalId?: ((logicalId: string) => string | undefined) | undefined;
  readonly outputs: Readonly<Record<string, string>>;
  /** Only an empty bucket is deleted. */
  readonly isBucketEmpty: (name: string) => boolean;
  readonly onBucket: (name: string, what: "created" | "deleted") => void;
}

/**
 * Stacks as in CloudFormation: change sets, names in use, retained resources, rollbacks that succeed and that
 * fail. Operations complete immediately, unless `isHeld` keeps them in progress until `finish`, or `isLate`.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html#cfn-console-view-stack-data-resources-status-codes
 */
export class StackModel {
  readonly stacks: StackRecord[] = [];
  /** Owners by name: the id of a stack, or one word for all retained resources. */
  readonly takenNames = new Map<string, string>();
  /** When a queue of a name was deleted. */
  readonly deletedQueues = new Map<string, number>();
  /** Of functions by name: the contents of each published version. */
  readonly published = new Map<string, string[]>();
  mishaps: Mishap[] = [];
  /** Changes outside of CloudFormation: paths of properties, by logical id. */
  readonly drift = new Map<string, readonly string[]>();
  /** Why CloudFormation cannot read some resource to compare it. */
  unreadable: string | undefined;
  isHeld = false;
  /** Begins an operation only after the stack was read once more, and ends it after the next read. */
  isLate = false;
  private pending: (() => void)[] = [];
  private lastEventMs = 0;
  private counter = 0;
  private readonly options: StackModelOptions;

  constructor(options: StackModelOptions) {
    this.options = options;
  }

  /** Finds a stack that is not deleted by its name, or any by its id. */
  find(nameOrId: string): StackRecord | undefined {
    return this.stacks.findLast(
      ({ id, name, status }) => id === nameOrId || (name === nameOrId && status !== "DELETE_COMPLETE"),
    );
  }

  get(nameOrId: string): StackRecord {
    const stack = this.find(nameOrId);
    if (stack) return stack;
    throw invalid(`Stack with id ${nameOrId} does not exist`);
  }

  changeSet({ changeSets }: StackRecord, name: string): ChangeSet {
    const changeSet = changeSets.get(name);
    if (changeSet) return changeSet;
    throw new AwsError("ChangeSetNotFound", `ChangeSet [${name}] does not exist`);
  }

  /** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateChangeSet.html */
  createChangeSet(request: {
    stackName: string;
    name: string;
    type: string;
    body: string;
    importExisting: boolean;
    revertsDrift?: boolean;
    /** Undefined: the stack keeps its own. */
    tags?: string | undefined;
  }): { stack: StackRecord; changeSet: ChangeSet } {
    const template = JSON.parse(request.body);
    let stack = this.find(request.stackName);
    if (request.type === "CREATE") {
      if (stack && stack.status !== "REVIEW_IN_PROGRESS") {
        throw invalid(
          `Stack [${request.stackName}] already exists and cannot be created again with the changeSet [${request.name}].`,
        );
      }
      stack ??= this.addStack(request.stackName);
    } else {
      if (!stack) throw invalid(`Stack [${request.stackName}] does not exist`);
      if (!/^(CREATE|UPDATE|UPDATE_ROLLBACK|IMPORT)_COMPLETE$/.test(stack.status)) {
        throw invalid(`Stack:${stack.id} is in ${stack.status} state and can not be updated.`);
      }
    }
    if (stack.changeSets.has(request.name)) {
      throw new AwsError("AlreadyExistsException", `ChangeSet ${request.name} already exists`);
    }
    const drifted = request.revertsDrift === true ? [...this.drift.keys()] : [];
    const reverted = drifted.flatMap((logicalId): Change[] => {
      const resource = stack?.resources.get(logicalId);
      return resource === undefined ? [] : [{ ...resource, action: "Modify", replacement: "False" }];
    });
    const changes = [...this.changesTo(stack, template, request.importExisting), ...reverted];
    const outputsChange =
      JSON.stringify(stack.template.Outputs ?? {}) !== JSON.stringify(template.Outputs ?? {});
    const { tags = stack.tags } = request;
    const isEmpty = changes.length === 0 && !outputsChange && tags === stack.tags;
    const changeSet: ChangeSet = {
      id: `arn:aws:cloudformation:${this.options.region}:${this.options.accountId}:changeSet/${request.name}/${this.nextId()}`,
      name: request.name,
      type: request.type,
      status: isEmpty ? "FAILED" : "CREATE_COMPLETE",
      reason: isEmpty
        ? "The submitted information didn't contain changes. Submit different information to create a change set."
        : undefined,
      template,
      body: request.body,
      tags,
      changes,
    };
    stack.changeSets.set(request.name, changeSet);
    return { stack, changeSet };
  }

  /** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ExecuteChangeSet.html */
  execute(stackName: string, changeSetName: string): void {
    const stack = this.get(stackName);
    const changeSet = this.changeSet(stack, changeSetName);
    stack.changeSets.clear();
    const operation = changeSet.type === "CREATE" ? "CREATE" : "UPDATE";
    this.begin(() => {
      this.setStatus(stack, `${operation}_IN_PROGRESS`, "User Initiated");
      if (operation === "UPDATE") stack.updatedAt = this.date();
    });
    this.later(() => this.run(stack, changeSet, operation));
  }

  /** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DeleteStack.html */
  delete(stackName: string, retained: readonly string[] = []): void {
    const stack = this.find(stackName);
    if (!stack) return;
    if (stack.isProtected) {
      throw invalid(`Stack [${stack.id}] cannot be deleted while TerminationProtection is enabled`);
    }
    if (retained.length > 0 && stack.status !== "DELETE_FAILED") {
      throw invalid(
        `Invalid operation on stack [${stack.id}]. Delete Stack with retain resources is only applicable to stacks in the DELETE_FAILED state.`,
      );
    }
    if (
      /_IN_PROGRESS$/.test(stack.status) &&
      stack.status !== "REVIEW_IN_PROGRESS" &&
      stack.status !== "CREATE_IN_PROGRESS"
    ) {
      throw invalid(`Stack [${stack.id}] cannot be deleted while in status ${stack.status}`);
    }
    this.begin(() => this.setStatus(stack, "DELETE_IN_PROGRESS", "User Initiated"));
    this.later(() => {
      const failed: string[] = [];
      for (const resource of [...stack.resources.values()].reverse()) {
        if (retained.includes(resource.logicalId) || resource.definition.DeletionPolicy?.startsWith("Retain"))
          this.retain(stack, resource);
        else if (!this.remove(stack, resource)) failed.push(resource.logicalId);
      }
      if (failed.length > 0) {
        this.setStatus(
          stack,
          "DELETE_FAILED",
          `The following resource(s) failed to delete: [${failed.join(", ")}]. `,
        );
        return;
      }
      stack.deletedAt = this.date();
      this.setStatus(stack, "DELETE_COMPLETE");
    });
  }

  /** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ContinueUpdateRollback.html */
  continueRollback(stackName: string): void {
    const stack = this.get(stackName);
    if (stack.status !== "UPDATE_ROLLBACK_FAILED") {
      throw invalid(`Stack:${stack.id} is in ${stack.status} state and can not continue rollback`);
    }
    this.begin(() => this.setStatus(stack, "UPDATE_ROLLBACK_IN_PROGRESS", "User Initiated"));
    this.later(() => {
      const failed = [...stack.resources.values()].filter(({ logicalId }) =>
        this.mishap("rollback", logicalId),
      );
      this.setStatus(stack, failed.length > 0 ? "UPDATE_ROLLBACK_FAILED" : "UPDATE_ROLLBACK_COMPLETE");
    });
  }

  /** Saves the current state; returns a function that restores it. */
  save(): () => void {
    const { stacks, takenNames, deletedQueues, published } = structuredClone({
      stacks: this.stacks,
      takenNames: this.takenNames,
      deletedQueues: this.deletedQueues,
      published: this.published,
    });
    return () => {
      this.mishaps = [];
      this.drift.clear();
      this.unreadable = undefined;
      this.isHeld = false;
      this.isLate = false;
      this.pending = [];
      this.stacks.splice(0, this.stacks.length, ...structuredClone(stacks));
      replace(this.takenNames, takenNames);
      replace(this.deletedQueues, deletedQueues);
      replace(this.published, published);
    };
  }

  /** Completes held operations. */
  finish(): void {
    this.isHeld = false;
    for (const step of this.pending.splice(0)) step();
  }

  /** A caller has read a stack: continues late operations. */
  noteRead(): void {
    if (this.isLate) this.pending.shift()?.();
  }

  outputsOf(stack: StackRecord): Readonly<Record<string, string>> {
    const physicalIds = new Map([...stack.resources].map(([id, { physicalId }]) => [id, physicalId]));
    const { region, accountId } = this.options;
    const told = Object.fromEntries(
      Object.entries(stack.template.Outputs ?? {}).map(([name, { Value }]) => [
        name,
        String(evaluateLeniently(Value, { physicalIds, region, accountId, stackName: stack.name })),
      ]),
    );
    return { ...told, ...this.options.outputs };
  }

  private run(
    stack: StackRecord,
    { template, body, tags, changes }: ChangeSet,
    operation: "CREATE" | "UPDATE",
  ): void {
    const before = { template: stack.template, body: stack.body };
    const undo: (() => void)[] = [];
    const failure = this.apply(stack, template, changes, undo);
    if (failure === undefined) {
      for (const { logicalId, action } of changes) {
        const resource = stack.resources.get(logicalId);
        if (action !== "Remove" || !resource) continue;
        if (resource.definition.DeletionPolicy?.startsWith("Retain")) this.retain(stack, resource);
        else this.remove(stack, resource);
      }
      stack.template = template;
      stack.body = body;
      // A usual change set compares templates, and does not list these.
      for (const { logicalId } of changes) this.drift.delete(logicalId);
      stack.tags = tags;
      this.setStatus(stack, `${operation}_COMPLETE`);
      return;
    }
    const rollback = operation === "CREATE" ? "ROLLBACK" : "UPDATE_ROLLBACK";
    this.setStatus(
      stack,
      `${rollback}_IN_PROGRESS`,
      `The following resource(s) failed to ${operation.toLowerCase()}: [${failure}]. `,
    );
    const stuck = changes.some(({ logicalId }) => this.mishap("rollback", logicalId));
    for (const step of undo.reverse()) step();
    stack.template = before.template;
    stack.body = before.body;
    this.setStatus(stack, stuck ? `${rollback}_FAILED` : `${rollback}_COMPLETE`);
  }

  /** Returns the logical id of the failed resource. */
  private apply(
    stack: StackRecord,
    template: Template,
    changes: readonly Change[],
    undo: (() => void)[],
  ): string | undefined {
    for (const { action, logicalId, replacement } of changes) {
      const definition = template.Resources[logicalId];
      if (action === "Remove" || !definition) continue;
      const present = stack.resources.get(logicalId);
      if (action === "Modify" && present && replacement !== "True") {
        const reason = this.mishap("update", logicalId);
        if (reason !== undefined) {
          this.note(stack, present, "UPDATE_FAILED", reason);
          return logicalId;
        }
        const old = present.definition;
        present.definition = definition;
        this.note(stack, present, "UPDATE_COMPLETE");
        undo.push(() => {
          present.definition = old;
        });
        continue;
      }
      const name = takesTheName(definition);
      const resource: StackResource = {
        logicalId,
        type: definition.Type,
        physicalId:
          this.options.physicalId?.(logicalId) ?? this.physicalIdOf(stack, logicalId, definition, name?.name),
        status: "CREATE_IN_PROGRESS",
        definition,
      };
      const reason =
        this.mishap("create", logicalId) ??
        this.whyNoVersion(stack, definition) ??
        this.objectionTo(definition, action === "Import", present !== undefined);
      stack.resources.set(logicalId, resource);
      if (reason !== undefined) {
        this.note(stack, resource, "CREATE_FAILED", reason);
        if (present) stack.resources.set(logicalId, present);
        else stack.resources.delete(logicalId);
        return logicalId;
      }
      if (name) this.takenNames.set(name.key, stack.id);
      if (definition.Type === "AWS::S3::Bucket") this.options.onBucket(resource.physicalId, "created");
      this.note(stack, resource, action === "Import" ? "IMPORT_COMPLETE" : "CREATE_COMPLETE");
      undo.push(() => {
        if (definition.DeletionPolicy === "Retain" || action === "Import") this.retain(stack, resource);
        else this.remove(stack, resource);
      });
    }
    return undefined;
  }

  /** Publishes a function's current code; returns the number of its last version, and whether it is new. */
  publish(name: string, given?: TemplateResource): { version: number; isNew: boolean } | undefined {
    const all = this.stacks.flatMap(({ resources }) => [...resources.values()]);
    const found = all.find(({ type, physicalId }) => type === "AWS::Lambda::Function" && physicalId === name);
    if (found === undefined) return undefined;
    const { Properties } =
      given ?? all.find(({ definition }) => versionOf(definition) === found.logicalId)?.definition ?? {};
    const { Code: _, ...settings } = found.definition.Properties ?? {};
    const content = JSON.stringify([Properties?.CodeSha256, settings]);
    const versions = this.published.get(name) ?? [];
    const isNew = versions.at(-1) !== content;
    if (isNew) this.published.set(name, [...versions, content]);
    return { version: versions.length + (isNew ? 1 : 0), isNew };
  }

  /** @see https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html */
  private whyNoVersion({ resources }: StackRecord, definition: TemplateResource): string | undefined {
    const id = versionOf(definition);
    const published =
      id === undefined ? undefined : this.publish(resources.get(id)?.physicalId ?? "", definition);
    if (published === undefined || published.isNew) return undefined;
    return `A version for this Lambda function exists ( ${published.version} ). Modify the function to create a new version.`;
  }

  private objectionTo(
    definition: TemplateResource,
    isImport: boolean,
    isReplaced: boolean,
  ): string | undefined {
    const name = takesTheName(definition);
    if (!name || isImport) return undefined;
    if (isReplaced) {
      return `CloudFormation cannot update a stack when a custom-named resource requires replacing. Rename ${name.name} and update the stack again.`;
    }
    if (this.takenNames.has(name.key)) {
      return `Resource of type '${definition.Type}' with identifier '${name.name}' already exists.`;
    }
    const deletedAt = this.deletedQueues.get(name.key);
    // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_CreateQueue.html (QueueDeletedRecently)
    if (deletedAt !== undefined && this.options.now() - deletedAt < 60_000) {
      return "You must wait 60 seconds after deleting a queue before you can create another with the same name.";
    }
    return undefined;
  }

  private changesTo(stack: StackRecord, template: Template, importExisting: boolean): readonly Change[] {
    const changes: Change[] = [];
    for (const [logicalId, definition] of Object.entries(template.Resources)) {
      const present = stack.resources.get(logicalId);
      const { Type: type } = definition;
      if (!present) {
        const name = takesTheName(definition);
        const isImported =
          importExisting &&
          name !== undefined &&
          this.takenNames.get(name.key) === "nobody" &&
          definition.DeletionPolicy?.startsWith("Retain") === true;
        changes.push({ action: isImported ? "Import" : "Add", logicalId, type });
      } else if (JSON.stringify(present.definition) !== JSON.stringify(definition)) {
        const replacement = replacementOf(present.definition, definition);
        changes.push({ action: "Modify", logicalId, physicalId: present.physicalId, type, replacement });
      }
    }
    for (const [logicalId, { physicalId, type, definition }] of stack.resources) {
      if (template.Resources[logicalId]) continue;
      const policyAction = definition.DeletionPolicy?.startsWith("Retain") ? "Retain" : "Delete";
      changes.push({ action: "Remove", logicalId, physicalId, type, policyAction });
    }
    return changes;
  }

  private retain(stack: StackRecord, resource: StackResource): void {
    const name = takesTheName(resource.definition);
    if (name) this.takenNames.set(name.key, "nobody");
    stack.resources.delete(resource.logicalId);
    this.note(stack, resource, "DELETE_SKIPPED");
  }

  private remove(stack: StackRecord, resource: StackResource): boolean {
    const { logicalId, type, physicalId, definition } = resource;
    const reason =
      this.mishap("delete", logicalId) ??
      (type === "AWS::S3::Bucket" && !this.options.isBucketEmpty(physicalId)
        ? "The bucket you tried to delete is not empty."
        : undefined) ??
      (definition.Properties?.DeletionProtectionEnabled === true
        ? "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first."
        : undefined);
    if (reason !== undefined) {
      this.note(stack, resource, "DELETE_FAILED", reason);
      return false;
    }
    const name = takesTheName(definition);
    if (name) this.takenNames.delete(name.key);
    if (name && type === "AWS::SQS::Queue") this.deletedQueues.set(name.key, this.options.now());
    if (type === "AWS::S3::Bucket") this.options.onBucket(physicalId, "deleted");
    this.published.delete(physicalId);
    stack.resources.delete(logicalId);
    this.note(stack, resource, "DELETE_COMPLETE");
    return true;
  }

  private addStack(name: string): StackRecord {
    const stack: StackRecord = {
      id: `arn:aws:cloudformation:${this.options.region}:${this.options.accountId}:stack/${name}/${this.nextId()}`,
      name,
      status: "REVIEW_IN_PROGRESS",
      isProtected: false,
      createdAt: this.date(),
      template: { Resources: {} },
      body: "{}",
      tags: "",
      resources: new Map(),
      changeSets: new Map(),
      events: [],
    };
    this.stacks.push(stack);
    return stack;
  }

  private setStatus(stack: StackRecord, status: string, reason?: string): void {
    stack.status = status;
    stack.reason = reason;
    this.event(stack, {
      logicalId: stack.name,
      physicalId: stack.id,
      type: "AWS::CloudFormation::Stack",
      status,
      reason,
    });
  }

  private note(stack: StackRecord, resource: StackResource, status: string, reason?: string): void {
    resource.status = status;
    resource.reason = reason;
    const { logicalId, physicalId, type } = resource;
    this.event(stack, { logicalId, physicalId, type, status, reason });
  }

  private event(stack: StackRecord, facts: Omit<StackEvent, "id" | "at">): void {
    // No two at the same time, even with a frozen clock: an operation's times are later than all before it.
    this.lastEventMs = Math.max(this.options.now(), this.lastEventMs + 1);
    stack.events.unshift({ ...facts, id: this.nextId(), at: new Date(this.lastEventMs) });
  }

  private mishap(when: Mishap["when"], logicalId: string): string | undefined {
    const index = this.mishaps.findIndex((one) => one.when === when && one.logicalId === logicalId);
    return index < 0 ? undefined : this.mishaps.splice(index, 1)[0]?.reason;
  }

  private begin(step: () => void): void {
    if (this.isLate) this.pending.push(step);
    else step();
  }

  private later(step: () => void): void {
    if (this.isHeld || this.isLate) this.pending.push(step);
    else step();
  }

  private physicalIdOf(
    stack: StackRecord,
    logicalId: string,
    { Type }: TemplateResource,
    name: string | undefined,
  ): string {
    if (name !== undefined && Type === "AWS::SQS::Queue") {
      return `https://sqs.${this.options.region}.amazonaws.com/${this.options.accountId}/${name}`;
    }
    if (Type === "AWS::Lambda::EventSourceMapping") return this.nextId();
    const suffix = createHash("sha256").update(`${stack.id}${logicalId}`).digest("hex").slice(0, 12);
    if (name !== undefined) return name;
    return Type === "AWS::ApiGatewayV2::Api" ? suffix : composeName(stack.name, logicalId, Type, suffix);
  }

  private date(): Date {
    return new Date(this.options.now());
  }

  private nextId(): string {
    this.counter += 1;
    return `00000000-0000-4000-8000-${String(this.counter).padStart(12, "0")}`;
  }
}

/**
 * The name that CloudFormation generates. AWS does not document how it cuts too long ones; seen were
 * the first 24 or 25 characters of the stack's.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-properties-name.html
 * @see https://github.com/serverless/serverless/issues/2791
 */
export function composeName(stackName: string, logicalId: string, type: string, suffix: string): string {
  const left = (composedLimits[type] ?? 120) - suffix.length - 2;
  const ofStack = stackName.slice(0, Math.max(24, left - logicalId.length));
  const name = `${ofStack}-${logicalId.slice(0, left - ofStack.length)}-${suffix}`;
  return type === "AWS::S3::Bucket" ? name.toLowerCase() : name;
}

const composedLimits: Readonly<Record<string, number>> = {
  "AWS::S3::Bucket": 63,
  "AWS::IAM::Role": 64,
  "AWS::Events::Rule": 64,
};

/** The logical id of the function that a version is of. */
function versionOf({ Type, Properties }: TemplateResource): string | undefined {
  return Type === "AWS::Lambda::Version" ? Object(Properties?.FunctionName).Ref : undefined;
}

function invalid(message: string): AwsError {
  return new AwsError("ValidationError", message);
}

function replace<Key, Value>(map: Map<Key, Value>, by: ReadonlyMap<Key, Value>) {
  map.clear();
  for (const [key, value] of by) map.set(key, value);
}
