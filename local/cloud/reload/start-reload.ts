import { join } from "node:path";
import type { BuiltService } from "../build/build-service.ts";
import type { Bundle } from "../build/bundling.ts";
import { writeProblem } from "../build/problem.ts";
import type { FunctionDefinition } from "../lambda/function-definition.ts";
import type { LambdaService } from "../lambda/lambda-service.ts";
import { readLoadProblem } from "./load-problem.ts";
import { planReload } from "./plan-reload.ts";
import { type Reload, type ReloadProblem, type ReloadState, unedited } from "./reload-state.ts";
import type { SourceWatch } from "./watch-sources.ts";

export interface ReloadOptions {
  readonly serviceFolder: string;
  readonly built: BuiltService;
  readonly lambda: LambdaService;
  /** Started before the build, so that it reports changes during the start. */
  readonly watch: SourceWatch;
  /** Resolves serverless.yml again and applies what it can. */
  redeclare(): Promise<{ functions: readonly FunctionDefinition[]; needsRestart: readonly string[] }>;
  /** Describes flows that go on with earlier code, if there are any. */
  describeOlder(): string | undefined;
  /** One or more lines per edit. */
  readonly log: (text: string) => void;
}

/** The first message is answered by then. */
const warmAfterMs = 2_000;

/** More entries are faster together than one after the other. */
const maxAlone = 2;

export function startReload(options: ReloadOptions): Reload {
  const reloader = new Reloader(options);
  options.watch.subscribe((files) => reloader.note(files));
  return reloader;
}

class Reloader implements Reload {
  readonly #options: ReloadOptions;
  readonly #bundles: Map<string, Bundle>;
  readonly #listeners = new Set<(state: ReloadState) => void>();
  /** No round has picked them up. */
  readonly #noted = new Set<string>();
  /** Resolves at the next change; then replaced. */
  #changed = Promise.withResolvers<undefined>();
  /** Entries that do not run their latest source yet. */
  readonly #open = new Set<string>();
  /** The problems by entry, or by `config` and `serverless.yml`. */
  readonly #problems = new Map<string, readonly ReloadProblem[]>();
  #isConfigOpen = false;
  #isDeclarationOpen = false;
  #round = newRound();
  #declaring: Promise<void> | undefined;
  #folders = 0;
  #isPrepared = false;
  #isRunning = false;
  #isMistakeTold = false;
  #state: ReloadState = unedited;
  /** Not while everything else starts. A failure is reported by the first edit. */
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

  subscribe(listener: (state: ReloadState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  note(files: readonly string[]): void {
    for (const file of files) this.#noted.add(file);
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers();
    if (!this.#isRunning) void this.#reloadAll();
  }

  async #reloadAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#isOutdated()) {
      const files = [...this.#noted];
      this.#noted.clear();
      await this.#reload(files).catch((error) => {
        const text = textOf(error);
        this.#set({ state: "broken", changedFiles: files, problems: [{ text }] });
        this.#options.log(`The edit could not be taken: ${text}`);
      });
    }
    this.#isRunning = false;
  }

  async #reload(files: readonly string[]): Promise<void> {
    clearTimeout(this.#warming);
    // Edits during a round are reported with it.
    if (this.#state.state !== "building") this.#round = newRound();
    const { bundler } = this.#options.built;
    if (!this.#isPrepared) await this.#warm();
    this.#isPrepared = true;
    const plan = planReload(files, [...this.#bundles.values()], new Set(await bundler.files()));
    for (const entry of plan.entries) this.#open.add(entry);
    this.#isConfigOpen ||= plan.checksConfig;
    this.#isDeclarationOpen ||= plan.resolves;
    const isOpen = this.#open.size > 0 || this.#isConfigOpen || this.#isDeclarationOpen;
    if (!isOpen && this.#state.state !== "building") return;
    const isPart = plan.entries.length > 0 || plan.checksConfig || plan.resolves;
    if (isPart || this.#state.state === "live") for (const file of files) this.#round.files.add(file);
    const { files: roundFiles, renewed } = this.#round;
    const changedFiles = roundFiles.size > 0 ? [...roundFiles].toSorted() : this.#state.changedFiles;
    this.#set({ state: "building", changedFiles, tookMs: undefined });
    if (plan.renewsBundler) await bundler.renew();
    await this.#reloadCode();
    if (this.#isDeclarationOpen && !this.#isConfigOpen && !this.#isOutdated()) {
      // serverless takes a second or more, and the code is already live.
      if (renewed.size > 0) this.#conclude();
      await this.#declareAgain();
    }
    if (!this.#isOutdated()) this.#conclude();
  }

  async #reloadCode(): Promise<void> {
    const { built } = this.#options;
    if (this.#isConfigOpen) {
      const found = await built.bundler.check();
      this.#problems.set("config", found);
      if (found.length > 0) return; // half of an edit reloads nothing
      this.#isConfigOpen = false;
    }
    const switches: Promise<void>[] = [];
    for (const { entries, isRepeated } of this.#inOrder()) {
      if (this.#isOutdated()) break;
      this.#folders += 1;
      const folder = join(built.folder, `.edit-${this.#folders}`);
      const known = Object.assign({}, ...entries.map((entry) => this.#bundles.get(entry)?.files));
      const { bundles, failed } = await built.bundler.bundle({ entries, folder, known, isRepeated });
      for (const { entry, problems } of failed) this.#problems.set(entry, problems);
      for (const bundle of bundles) switches.push(this.#take(bundle, folder));
    }
    await Promise.all(switches);
  }

  /** First those in use, each alone; then the others, together if there are many. */
  #inOrder() {
    const { lambda } = this.#options;
    const isWarm = (entry: string) => this.#functionsOf(entry).some(({ key }) => lambda.pool(key).isWarm);
    const { warm = [], cold = [] } = Object.groupBy(this.#open, (one) => (isWarm(one) ? "warm" : "cold"));
    const together = cold.length > maxAlone ? [{ entries: cold, isRepeated: false }] : [];
    const alone = together.length > 0 ? warm : [...warm, ...cold];
    return [...alone.map((entry) => ({ entries: [entry], isRepeated: true })), ...together];
  }

  async #take(bundle: Bundle, taskRoot: string): Promise<void> {
    const { entry, isChanged } = bundle;
    const definitions = isChanged ? this.#functionsOf(entry) : [];
    const found = await Promise.all(definitions.map((one) => this.#renew({ ...one, taskRoot })));
    this.#problems.set(entry, found.flat());
    if (found.flat().length > 0) return;
    this.#open.delete(entry);
    this.#bundles.set(entry, bundle);
  }

  #functionsOf(entry: string): readonly FunctionDefinition[] {
    const { lambda, built } = this.#options;
    return lambda.functions.filter(({ key }) => built.bundling.entries[key] === entry);
  }

  async #renew(definition: FunctionDefinition): Promise<readonly ReloadProblem[]> {
    const { lambda, serviceFolder } = this.#options;
    const loaded = await lambda.pool(definition.key).renew(definition);
    if (loaded !== "loaded") return [readLoadProblem(definition, loaded.body, serviceFolder)];
    this.#round.renewed.add(definition.key);
    return [];
  }

  /** One run at a time, because serverless takes seconds. The next edit starts it again. */
  async #declareAgain(): Promise<void> {
    const { redeclare, lambda, log } = this.#options;
    try {
      while (this.#declaring !== undefined && !this.#isOutdated()) {
        await Promise.race([this.#declaring, this.#changed.promise]);
      }
      if (this.#isOutdated()) return;
      const asked = redeclare();
      const end = () => {
        this.#declaring = undefined;
      };
      this.#declaring = asked.then(end, end);
      const declared = await Promise.race([asked, this.#changed.promise]);
      if (declared === undefined || this.#isOutdated()) return;
      const found: ReloadProblem[] = [];
      for (const definition of declared.functions) {
        const current = lambda.functions.find(({ key }) => key === definition.key);
        if (current === undefined) continue;
        const wanted = { ...definition, taskRoot: current.taskRoot };
        if (JSON.stringify(wanted) !== JSON.stringify(current)) found.push(...(await this.#renew(wanted)));
      }
      this.#problems.set("serverless.yml", found);
      this.#isDeclarationOpen = found.length > 0;
      const { needsRestart } = declared;
      if (needsRestart.join() === this.#state.needsRestart.join()) return;
      this.#set({ needsRestart });
      if (needsRestart.length > 0) log(`A new start is needed for ${needsRestart.join(", ")}.`);
    } catch (error) {
      this.#problems.set("serverless.yml", [{ text: textOf(error), file: "serverless.yml" }]);
    }
  }

  /** Unless there is nothing new. */
  #conclude(): void {
    const problems = mergeProblems([...this.#problems.values()].flat());
    const renewed = [...this.#round.renewed];
    this.#round.renewed.clear();
    const isNews = this.#state.state === "building" || renewed.length > 0;
    if (!isNews && JSON.stringify(problems) === JSON.stringify(this.#state.problems)) return;
    this.#set({
      state: problems.length > 0 ? "broken" : "live",
      revision: this.#state.revision + (renewed.length > 0 ? 1 : 0),
      ...(isNews && { tookMs: performance.now() - this.#round.startedAt }),
      problems,
    });
    this.#logOutcome(renewed);
  }

  #logOutcome(renewed: readonly string[]): void {
    const { log, lambda, describeOlder } = this.#options;
    const { changedFiles, tookMs = 0, problems } = this.#state;
    const older = renewed.some((key) => lambda.pool(key).definition.durable) ? describeOlder() : undefined;
    const edited = changedFiles.length > 3 ? `${changedFiles.length} files` : changedFiles.join(", ");
    if (renewed.length > 0) log(`Reloaded ${renewed.join(", ")} in ${Math.round(tookMs)} ms: ${edited}`);
    if (older !== undefined) log(older);
    if (problems.length === 0 && this.#isMistakeTold && renewed.length === 0)
      log(`${edited}: without mistakes again; the code that runs is up to date.`);
    this.#isMistakeTold = problems.length > 0;
    if (problems.length === 0) return;
    log(`${edited}: the code of before runs on.\n${problems.map(writeReloadProblem).join("\n")}`);
  }

  async #warm(): Promise<void> {
    await this.#options.built.bundler.warm().catch(() => {});
  }

  #isOutdated(): boolean {
    return this.#noted.size > 0;
  }

  #set(next: Partial<ReloadState>): void {
    this.#state = { ...this.#state, ...next };
    for (const listener of this.#listeners) listener(this.#state);
  }
}

function newRound() {
  return { startedAt: performance.now(), files: new Set<string>(), renewed: new Set<string>() };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** One mistake in code that several functions share. */
function mergeProblems(all: readonly ReloadProblem[]): ReloadProblem[] {
  return [...Map.groupBy(all, writeProblem).values()].flatMap((same) => {
    const [first] = same;
    const functionKeys = same.flatMap(({ functionKeys: keys = [] }) => keys);
    return first === undefined ? [] : [functionKeys.length > 0 ? { ...first, functionKeys } : first];
  });
}

function writeReloadProblem({ functionKeys, stack = [], ...problem }: ReloadProblem): string {
  const which = functionKeys === undefined ? "" : `Cannot be loaded: ${functionKeys.join(", ")}. `;
  return [`${which}${writeProblem(problem)}`, ...stack.map((frame) => `    at ${frame}`)].join("\n");
}
