import { describeError } from "../../lib/base/describe-error.ts";
import {
  collect,
  countLeft,
  eraseFrom,
  type Findings,
} from "../../lib/operate/personal-data/personal-store.ts";
import { defineCommand, flag } from "../command.ts";
import type { Output } from "../output.ts";
import {
  listUnreachable,
  openPerson,
  personArgument,
  personOption,
  snapshotsName,
} from "../people/open-person.ts";
import { refuseHeld } from "../people/refuse-held.ts";

export const command = defineCommand({
  description:
    "Erases from the deployment's own stores first, then from the platform, permanently, and searches again what may have been filled meanwhile. May be stopped anywhere and run again. Users under `legalHold` in config/users.yml, here or as deployed, and users that the deployed file declares are refused.",
  examples: `
    $ people erase alice --stage prod --app shop --dry-run
        count what would be erased
    $ people erase alice --stage prod --app shop
        count, ask, and erase
  `,
  arguments: personArgument,
  options: { ...personOption, dryRun: flag("only count, and change nothing") },
  changes: true,
  run: async (context) => {
    const { target, options, edges, out, confirm } = context;
    const { app, uid, own, platform, retention } = await openPerson(context);
    await refuseHeld(context, app, uid);
    const onStore = (name: string) => out.progress(`searching ${name}`);
    const before = await collect([...own, ...platform], onStore);
    const toResult = (after: Findings, failures: ReadonlyMap<string, unknown> = new Map()) => ({
      app,
      uid,
      isRehearsal: options.dryRun,
      stores: [...before].map(([store, found]) => ({
        store,
        found: found.length,
        remains: countLeft(after.get(store)),
        cause: failures.has(store) ? describeError(failures.get(store)) : undefined,
      })),
      unreachable: listUnreachable(after, edges.now(), retention),
    });
    const planned = toResult(before);
    if (options.dryRun || !isLeft(planned)) return planned;
    printStores(planned.stores, out);
    const snapshots = (before.get(snapshotsName) ?? []).map(({ id }) => id);
    if (snapshots.length > 0)
      out.note(`These snapshots hold data of the user and are removed whole: ${snapshots.join(", ")}`);
    await confirm(`Erase the user ${uid} of the app ${app} of ${target.title} permanently?`);
    // Hours may have passed.
    await refuseHeld(context, app, uid);
    const note = (name: string, count: number) => out.note(`${name}: erased ${count}`);
    const known = own.filter(({ name }) => countLeft(before.get(name)) > 0);
    // The platform reports its deletions to the functions, which may store them in any of the own stores.
    const { failures, clean } = await eraseFrom([...known, ...platform, ...own], note, edges.signal);
    for (const [name, error] of failures) out.note(`${name}: ${describeError(error)}`);
    // Deletions of the platform add to what was searched before them, such as notes about a removed member.
    const rest = [...own.filter(({ name, isFilledLate }) => isFilledLate || !clean.has(name)), ...platform];
    const after = await collect(rest, onStore, true);
    return toResult(new Map([...clean, ...after]), failures);
  },
  print: ({ uid, isRehearsal, stores, unreachable }, out) => {
    if (stores.every(({ found, remains }) => found + remains === 0)) out.line(`Nothing was found of ${uid}.`);
    printStores(stores, out, isRehearsal ? undefined : ({ remains }) => `, ${remains} still to erase`);
    for (const { what, endsAt = "" } of unreachable)
      out.line(`cannot be reached: ${what}${endsAt && `, until ${endsAt.slice(0, 10)} at the latest`}`);
    if (isRehearsal) out.line("Nothing was changed.");
    else if (isLeft({ stores })) out.note("Run it again for the rest.");
  },
  exitCode: (result) => (!result.isRehearsal && isLeft(result) ? "partlyDone" : "done"),
});

interface StoreCounts {
  store: string;
  found: number;
  remains: number;
}

function printStores(
  stores: readonly StoreCounts[],
  out: Output,
  describeRest: (store: StoreCounts) => string = () => "",
) {
  for (const one of stores)
    if (one.found + one.remains > 0) out.line(`${one.store}  ${one.found} found${describeRest(one)}`);
}

function isLeft({ stores }: { stores: { remains: number; cause: string | undefined }[] }) {
  return stores.some(({ remains, cause }) => remains > 0 || cause !== undefined);
}
