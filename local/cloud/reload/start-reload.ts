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
  /** Begun before the build: what changes while all starts is not missed. */
  readonly watch: SourceWatch;
  /** Reads serverless.yml anew and takes up what can be; says what the functions are, and what a new start is needed for. */
  redeclare(): Promise<{ functions: readonly FunctionDefinition[]; needsRestart: readonly string[] }>;
  /** Gets a line or more about each edit. */
  readonly log: (text: string) => void;
}

/** Renews what runs by the edits of its source. */
export interface RunningReload extends Reload {
  /** Resolves when no edit is under way any more. */
  settled(): Promise<void>;
}

/** Starts to renew functions after each edit. What cannot be renewed runs as it did before, and it is said why. */
export function startReload({
  serviceFolder,
  built,
  lambda,
  watch,
  redeclare,
  log,
}: ReloadOptions): RunningReload {
  const bundles = new Map<string, Bundle>(built.bundles.map((bundle) => [bundle.entry, bundle]));
  const listeners = new Set<(state: ReloadState) => void>();
  const noted = new Set<string>();
  /** Files of functions that do not run by their latest source yet. */
  const open = new Set<string>();
  /** What each of them, and config/, was told to have wrong. */
  const problems = new Map<string, readonly ReloadProblem[]>();
  let isConfigOpen = false;
  let isDeclarationOpen = false;
  const newRound = () => ({
    startedAt: performance.now(),
    files: new Set<string>(),
    renewed: new Set<string>(),
  });
  let round = newRound();
  let declaring: Promise<void> | undefined;
  let heard = Promise.withResolvers<undefined>();
  let folders = 0;
  let isPrepared = false;
  let running: Promise<void> | undefined;
  let state: ReloadState = unedited;
  // Not while all else starts; what is wrong with it is told by the first edit.
  const warming = setTimeout(
    () =>
      built
        .bundler()
        .warm()
        .catch(() => {}),
    warmAfterMs,
  ).unref();

  const set = (next: Partial<ReloadState>) => {
    state = { ...state, ...next };
    for (const listener of listeners) listener(state);
  };
  const isOutdated = () => noted.size > 0;

  const reload = async (noticed: readonly string[]) => {
    clearTimeout(warming);
    // Who edits on before all is done hears of everything together.
    if (state.state !== "building") round = newRound();
    const bundler = built.bundler();
    if (!isPrepared) await bundler.warm().catch(() => {});
    isPrepared = true;
    const plan = planReload(noticed, [...bundles.values()], new Set(await bundler.files()));
    for (const entry of plan.entries) open.add(entry);
    if (plan.checksConfig) isConfigOpen = true;
    if (plan.resolves) isDeclarationOpen = true;
    const isOpen = open.size > 0 || isConfigOpen || isDeclarationOpen;
    if (!isOpen && state.state !== "building") return;
    const isPart = plan.entries.length > 0 || plan.checksConfig || plan.resolves;
    if (isPart || state.state === "live") for (const file of noticed) round.files.add(file);
    const changedFiles = round.files.size > 0 ? [...round.files].toSorted() : state.changedFiles;
    set({ state: "building", changedFiles, tookMs: undefined });
    if (plan.renewsBundler) await bundler.renew();
    await renewCode();
    if (isDeclarationOpen && !isConfigOpen && !isOutdated()) {
      if (round.renewed.size > 0) conclude(); // serverless takes a second or more, and code is live by now
      for (const key of await declareAnew()) round.renewed.add(key);
    }
    if (!isOutdated()) conclude();
  };
  const conclude = () => {
    const unlike = mergeProblems([...problems.values()].flat());
    const renewed = [...round.renewed];
    round.renewed.clear();
    const isNews = state.state === "building" || renewed.length > 0;
    if (!isNews && JSON.stringify(unlike) === JSON.stringify(state.problems)) return;
    set({
      state: unlike.length > 0 ? "broken" : "live",
      revision: state.revision + (renewed.length > 0 ? 1 : 0),
      ...(isNews && { tookMs: performance.now() - round.startedAt }),
      problems: unlike,
    });
    tell(renewed);
  };
  const renewCode = async (): Promise<void> => {
    if (isConfigOpen) {
      const found = await built.bundler().check();
      if (found.length > 0) problems.set("config", found);
      else problems.delete("config");
      // Nothing is renewed by half of an edit.
      if (found.length > 0) return;
      isConfigOpen = false;
    }
    const switches: Promise<void>[] = [];
    for (const { entries, isRepeated } of inOrder([...open])) {
      if (isOutdated()) break;
      folders += 1;
      const folder = join(built.folder, `.edit-${folders}`);
      const known = Object.assign({}, ...entries.map((entry) => bundles.get(entry)?.files));
      const { bundles: made, failed } = await built.bundler().bundle({ entries, folder, known, isRepeated });
      for (const failure of failed) problems.set(failure.entry, failure.problems);
      for (const bundle of made) switches.push(take(bundle, folder));
    }
    await Promise.all(switches);
  };
  /** One at a time, as serverless takes seconds; the next edit of code does not wait for it, and has it asked again. */
  const declareAnew = async (): Promise<readonly string[]> => {
    try {
      while (declaring !== undefined && !isOutdated()) await Promise.race([declaring, heard.promise]);
      if (isOutdated()) return [];
      const asked = redeclare();
      const isOver = () => {
        declaring = undefined;
      };
      declaring = asked.then(isOver, isOver);
      const declared = await Promise.race([asked, heard.promise]);
      if (declared === undefined || isOutdated()) return [];
      const { functions, needsRestart } = declared;
      const renewed: string[] = [];
      const found: ReloadProblem[] = [];
      for (const declared of functions) {
        const current = lambda.functions.find(({ key }) => key === declared.key);
        if (current === undefined) continue;
        const wanted = { ...declared, taskRoot: current.taskRoot };
        if (JSON.stringify(wanted) === JSON.stringify(current)) continue;
        const loaded = await lambda.renew(wanted);
        if (loaded === "loaded") renewed.push(declared.key);
        else found.push(readLoadProblem(wanted, loaded.body, serviceFolder));
      }
      problems.set("serverless.yml", found);
      isDeclarationOpen = found.length > 0;
      if (needsRestart.join() !== state.needsRestart.join()) {
        set({ needsRestart });
        if (needsRestart.length > 0) log(`A new start is needed for ${needsRestart.join(", ")}.`);
      }
      return renewed;
    } catch (error) {
      problems.set("serverless.yml", [
        { text: error instanceof Error ? error.message : String(error), file: "serverless.yml" },
      ]);
      return [];
    }
  };
  const take = async (bundle: Bundle, taskRoot: string) => {
    const { entry, isChanged } = bundle;
    const found = isChanged ? await renew(entry, taskRoot) : [];
    if (found.length > 0) {
      problems.set(entry, found);
      return;
    }
    problems.delete(entry);
    open.delete(entry);
    bundles.set(entry, bundle);
  };
  /** Renews the functions of a file, all or none. */
  const renew = async (entry: string, taskRoot: string): Promise<readonly ReloadProblem[]> => {
    const definitions = lambda.functions
      .filter(({ key }) => built.bundling.entries[key] === entry)
      .map((definition): FunctionDefinition => ({ ...definition, taskRoot }));
    const found = await Promise.all(
      definitions.map(async (definition) => {
        const loaded = await lambda.renew(definition);
        if (loaded === "loaded") {
          round.renewed.add(definition.key);
          return [];
        }
        return [readLoadProblem(definition, loaded.body, serviceFolder)];
      }),
    );
    return found.flat();
  };
  /** First those that are at work, each alone; the others at once. */
  const inOrder = (entries: readonly string[]) => {
    const isWarm = (entry: string) =>
      lambda.functions.some(({ key }) => built.bundling.entries[key] === entry && lambda.isWarm(key));
    const warm = entries.filter(isWarm);
    const others = entries.filter((entry) => !isWarm(entry));
    const alone = [...warm, ...(others.length > mostAlone ? [] : others)];
    return [
      ...alone.map((entry) => ({ entries: [entry], isRepeated: true })),
      ...(others.length > mostAlone ? [{ entries: others, isRepeated: false }] : []),
    ];
  };
  const tell = (renewed: readonly string[]) => {
    const { changedFiles, tookMs = 0, problems: found } = state;
    const edited = changedFiles.length > 3 ? `${changedFiles.length} files` : changedFiles.join(", ");
    if (renewed.length > 0) log(`Reloaded ${renewed.join(", ")} in ${Math.round(tookMs)} ms: ${edited}`);
    if (found.length === 0) return;
    log(`${edited}: the code of before runs on.\n${found.map(writeReloadProblem).join("\n")}`);
  };

  const note = (files: readonly string[]) => {
    for (const file of files) noted.add(file);
    heard.resolve(undefined);
    heard = Promise.withResolvers();
    running ??= (async () => {
      while (noted.size > 0) {
        const changed = [...noted];
        noted.clear();
        await reload(changed).catch((error) => {
          const text = error instanceof Error ? error.message : String(error);
          set({ state: "broken", changedFiles: changed, problems: [{ text }] });
          log(`The edit could not be taken: ${text}`);
        });
      }
      running = undefined;
    })();
  };
  watch.subscribe(note);

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    settled: async () => await running,
  };
}

/** By then the first message is answered. */
const warmAfterMs = 2_000;

/** Bundling more than these at once is quicker than one after the other. */
const mostAlone = 2;

/** A mistake in what many functions share is one. */
function mergeProblems(all: readonly ReloadProblem[]): ReloadProblem[] {
  return [...Map.groupBy(all, writeProblem).values()].flatMap((same) => {
    const [first] = same;
    const functionKeys = same.flatMap(({ functionKeys: keys = [] }) => keys);
    return first === undefined ? [] : [functionKeys.length > 0 ? { ...first, functionKeys } : first];
  });
}

function writeReloadProblem({ functionKeys, stack = [], ...problem }: ReloadProblem): string {
  const who = functionKeys === undefined ? "" : `Cannot be loaded: ${functionKeys.join(", ")}. `;
  return [`${who}${writeProblem(problem)}`, ...stack.map((frame) => `    at ${frame}`)].join("\n");
}
