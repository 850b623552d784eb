import { join } from "node:path";
import type { BuiltService } from "../build/build-service.ts";
import type { Bundle } from "../build/bundling.ts";
import { createBus } from "../bus.ts";
import type { FunctionDefinition } from "../lambda/function-definition.ts";
import type { LambdaService } from "../lambda/lambda-service.ts";
import { mergeProblems, readLoadProblem, writeReloadProblem } from "./load-problem.ts";
import { planReload, type ReloadPlan } from "./plan-reload.ts";
import { type Reload, type ReloadProblem, type ReloadState, unedited } from "./reload-state.ts";
import type { SourceWatch } from "./watch-sources.ts";

export interface ReloadOptions {
  readonly serviceFolder: string;
  readonly built: BuiltService;
  readonly lambda: LambdaService;
  /** Started before the build, to see changes meanwhile. */
  readonly watch: SourceWatch;
  redeclare(): Promise<{ functions: readonly FunctionDefinition[]; needsRestart: readonly string[] }>;
  describeOlder(): string | undefined;
  readonly log: (text: string) => void;
}

/** By then, the first message is answered. */
const warmAfterMs = 2_000;

/** More entries are faster bundled together. */
const maxAlone = 2;

export function startReload(options: ReloadOptions): Reload {
  const reloader = new Reloader(options);
  options.watch.subscribe((files) => reloader.note(files));
  return reloader;
}

class Reloader implements Reload {
  readonly #options: ReloadOptions;
  readonly #bundles: Map<string, Bundle>;
  readonly #changes = createBus<ReloadState>();
  readonly subscribe = this.#changes.subscribe;
  readonly #noted = new Set<string>();
  readonly #open = new Set<string>();
  readonly #problems = new Map<string, readonly ReloadProblem[]>();
  #isConfigOpen = false;
  #isDeclarationOpen = false;
  /** New code, by entry, that failed to load with the old environment. */
  readonly #unloaded = new Map<string, { readonly bundle: Bundle; readonly taskRoot: string }>();
  #round = newRound();
  /** serverless takes a second or more. */
  #declaring: Promise<void> | undefined;
  #folders = 0;
  #isPrepared = false;
  #isRunning = false;
  #isMistakeReported = false;
  #state: ReloadState = unedited;
  /** Failures appear at the first edit. */
  readonly #warming: NodeJS.Timeout;

  constructor(options: ReloadOptions) {
    const { built } = options;
    this.#options = options;
    this.#bundles = new Map(built.bundles.map((bundle) => [bundle.entry, bundle]));
    this.#warming = setTimeout(() => void this.#warm(), warmAfterMs).unref();
  }

  state(): ReloadState {
    return this.#state;
  }

  note(files: readonly string[]): void {
    for (const file of files) this.#noted.add(file);
    if (!this.#isRunning) void this.#reloadAll();
  }

  async #reloadAll() {
    this.#isRunning = true;
    while (this.#noted.size > 0) {
      const files = [...this.#noted];
      this.#noted.clear();
      await this.#reload(files).catch((error) => {
        const text = textOf(error);
        this.#set({ state: "broken", changedFiles: files, problems: [{ text }] });
        this.#options.log(`The edit could not be applied: ${text}`);
      });
    }
    this.#isRunning = false;
  }

  async #reload(files: readonly string[]) {
    clearTimeout(this.#warming);
    // Edits during a round are reported with it.
    if (this.#state.state !== "building") this.#round = newRound();
    const { bundler } = this.#options.built;
    if (!this.#isPrepared) await this.#warm();
    this.#isPrepared = true;
    const plan = planReload(files, [...this.#bundles.values()], new Set(await bundler.files()));
    for (const entry of plan.entries) this.#open.add(entry);
    this.#forgetProblems(plan);
    this.#isConfigOpen ||= plan.checksConfig;
    this.#isDeclarationOpen ||= plan.resolves;
    const isOpen = this.#open.size > 0 || this.#isConfigOpen || this.#isDeclarationOpen;
    if (!isOpen && this.#state.state !== "building") {
      if (this.#declaring === undefined) this.#conclude();
      return;
    }
    const isPart = plan.entries.length > 0 || plan.checksConfig || plan.resolves;
    const { files: roundFiles } = this.#round;
    if (isPart || this.#state.state === "live") for (const file of files) roundFiles.add(file);
    const changedFiles = roundFiles.size > 0 ? [...roundFiles].toSorted() : this.#state.changedFiles;
    this.#set({ state: "building", changedFiles, tookMs: undefined });
    if (plan.renewsBundler) await bundler.renew();
    await this.#reloadCode();
    if (this.#isDeclarationOpen && !this.#isConfigOpen) {
      this.#declaring ??= this.#declareAgain().finally(() => {
        this.#declaring = undefined;
        if (!this.#isRunning) this.#conclude();
      });
    }
    const isUnfinished = this.#declaring !== undefined && this.#round.renewed.size === 0;
    if (this.#noted.size === 0 && !isUnfinished) this.#conclude();
  }

  /** Forgets problems that the edit may have fixed. */
  #forgetProblems({ entries, resolves }: ReloadPlan) {
    const touched = resolves ? [...entries, "serverless.yml"] : entries;
    for (const name of touched) {
      const isOfCode = ({ functionKeys, file }: ReloadProblem) =>
        functionKeys === undefined && file !== "serverless.yml";
      this.#problems.set(name, this.#problems.get(name)?.filter(isOfCode) ?? []);
    }
  }

  async #reloadCode() {
    const { bundler, folder: buildFolder } = this.#options.built;
    if (this.#isConfigOpen) {
      const found = await bundler.check();
      this.#problems.set("config", found);
      if (found.length > 0) return;
      this.#isConfigOpen = false;
    }
    const switches: Promise<void>[] = [];
    for (const { entries, isRepeated } of this.#inOrder()) {
      if (this.#noted.size > 0) break;
      this.#folders += 1;
      const folder = join(buildFolder, `.edit-${this.#folders}`);
      const known = Object.assign({}, ...entries.map((entry) => this.#bundles.get(entry)?.files));
      const { bundles, failed } = await bundler.bundle({ entries, folder, known, isRepeated });
      for (const { entry, problems } of failed) {
        this.#problems.set(entry, problems);
        this.#unloaded.delete(entry);
      }
      for (const bundle of bundles) switches.push(this.#take(bundle, folder));
    }
    await Promise.all(switches);
  }

  /** Orders entries: first those in use, each alone. */
  #inOrder() {
    const { lambda } = this.#options;
    const isWarm = (entry: string) => this.#functionsOf(entry).some(({ key }) => lambda.pool(key).isWarm);
    const { warm = [], cold = [] } = Object.groupBy(this.#open, (one) => (isWarm(one) ? "warm" : "cold"));
    const together = cold.length > maxAlone ? [{ entries: cold, isRepeated: false }] : [];
    const alone = together.length > 0 ? warm : [...warm, ...cold];
    return [...alone.map((entry) => ({ entries: [entry], isRepeated: true })), ...together];
  }

  async #take(bundle: Bundle, taskRoot: string) {
    const definitions = bundle.isChanged ? this.#functionsOf(bundle.entry) : [];
    const found = await this.#renew(definitions.map((one) => ({ ...one, taskRoot })));
    this.#problems.set(bundle.entry, found);
    if (found.length > 0) this.#unloaded.set(bundle.entry, { bundle, taskRoot });
    else this.#close(bundle);
  }

  #close(bundle: Bundle) {
    this.#open.delete(bundle.entry);
    this.#unloaded.delete(bundle.entry);
    this.#bundles.set(bundle.entry, bundle);
  }

  #functionsOf(entry: string): readonly FunctionDefinition[] {
    const { lambda, built } = this.#options;
    return lambda.functions.filter(({ key }) => built.bundling.entries[key] === entry);
  }

  async #renew(definitions: readonly FunctionDefinition[]): Promise<readonly ReloadProblem[]> {
    const { lambda, serviceFolder } = this.#options;
    const found = definitions.map(async (definition) => {
      const loaded = await lambda.pool(definition.key).renew(definition);
      if (loaded !== "loaded") return [readLoadProblem(definition, loaded.body, serviceFolder)];
      this.#round.renewed.add(definition.key);
      return [];
    });
    return (await Promise.all(found)).flat();
  }

  async #declareAgain() {
    let found: readonly ReloadProblem[];
    do {
      this.#isDeclarationOpen = false;
      found = await this.#declare().catch((error) => [{ text: textOf(error), file: "serverless.yml" }]);
    } while (this.#isDeclarationOpen && !this.#isConfigOpen);
    this.#problems.set("serverless.yml", found);
    this.#isDeclarationOpen ||= found.length > 0;
  }

  async #declare(): Promise<readonly ReloadProblem[]> {
    const { redeclare, lambda, log } = this.#options;
    const { functions, needsRestart } = await redeclare();
    if (this.#isDeclarationOpen) return [];
    const edited = functions.flatMap((definition) => {
      const current = lambda.functions.find(({ key }) => key === definition.key);
      const wanted = { ...definition, taskRoot: current?.taskRoot };
      return current === undefined || JSON.stringify(wanted) === JSON.stringify(current)
        ? []
        : [{ ...definition, taskRoot: current.taskRoot }];
    });
    const found = await this.#renewWithCode(edited);
    const isNew = needsRestart.join() !== this.#state.needsRestart.join();
    if (isNew) this.#set({ needsRestart });
    if (isNew && needsRestart.length > 0) log(`Restart the local stack to apply ${needsRestart.join(", ")}.`);
    return found;
  }

  /** Renews code and environment together, as after a trigger is renamed. */
  async #renewWithCode(edited: readonly FunctionDefinition[]): Promise<readonly ReloadProblem[]> {
    const { entries } = this.#options.built.bundling;
    const codeOf = ({ key }: FunctionDefinition) => this.#unloaded.get(entries[key] ?? "");
    const found = await this.#renew(
      edited.map((one) => ({ ...one, taskRoot: codeOf(one)?.taskRoot ?? one.taskRoot })),
    );
    const keys = new Set(edited.map(({ key }) => key));
    for (const { bundle } of new Set(edited.flatMap((one) => codeOf(one) ?? []))) {
      if (!this.#functionsOf(bundle.entry).every(({ key }) => keys.has(key))) continue;
      this.#problems.set(bundle.entry, []);
      if (found.length === 0) this.#close(bundle);
    }
    return found;
  }

  #conclude() {
    const problems = mergeProblems([...this.#problems.values()].flat());
    const renewed = [...this.#round.renewed];
    this.#round.renewed.clear();
    const isPartial = this.#declaring !== undefined;
    const isCompleted = this.#state.isPartial && !isPartial;
    const isNews = this.#state.state === "building" || renewed.length > 0 || isCompleted;
    if (!isNews && JSON.stringify(problems) === JSON.stringify(this.#state.problems)) return;
    this.#set({
      state: problems.length > 0 ? "broken" : "live",
      isPartial,
      revision: this.#state.revision + (renewed.length > 0 ? 1 : 0),
      ...(isNews && { tookMs: performance.now() - this.#round.startedAt }),
      problems,
    });
    this.#logOutcome(renewed, isCompleted);
  }

  #logOutcome(renewed: readonly string[], isCompleted: boolean) {
    const { log, lambda, describeOlder } = this.#options;
    const { changedFiles, tookMs = 0, problems, isPartial, needsRestart } = this.#state;
    const older = renewed.some((key) => lambda.pool(key).definition.durable) ? describeOlder() : undefined;
    const edited = changedFiles.length > 3 ? `${changedFiles.length} files` : changedFiles.join(", ");
    const rest = isPartial
      ? ". Wait for the next line: what serverless.yml and config/ set, such as the triggers that are on, is not live yet."
      : "";
    const took = `in ${Math.round(tookMs)} ms`;
    if (renewed.length > 0) log(`Reloaded ${renewed.join(", ")} ${took}: ${edited}${rest}`);
    if (older !== undefined) log(older);
    if (problems.length === 0 && this.#isMistakeReported && renewed.length === 0)
      log(`${edited}: no errors; the running code is up to date.`);
    else if (problems.length === 0 && isCompleted && renewed.length === 0)
      log(`${needsRestart.length > 0 ? "The rest of what" : "What"} serverless.yml and config/ set is live.`);
    this.#isMistakeReported = problems.length > 0;
    if (problems.length > 0)
      log(`${edited}: the previous code continues to run.\n${problems.map(writeReloadProblem).join("\n")}`);
  }

  async #warm() {
    await this.#options.built.bundler.warm().catch(() => {});
  }

  #set(next: Partial<ReloadState>) {
    this.#state = { ...this.#state, ...next };
    this.#changes.publish(this.#state);
  }
}

function newRound() {
  return { startedAt: performance.now(), files: new Set<string>(), renewed: new Set<string>() };
}

function textOf(error: unknown) {
  return error instanceof Error ? error.message : String(error);
}
