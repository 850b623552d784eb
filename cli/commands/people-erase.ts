import * as z from "zod/mini";
import { collect, eraseFrom, type Findings } from "../../lib/operate/personal-data/personal-store.ts";
import { declaredUsersSchema } from "../../lib/operate/user-seeding/declared-users.ts";
import { CliError } from "../cli-error.ts";
import { defineCommand } from "../command.ts";
import { argument, flag, text } from "../options.ts";
import { namePerson, openPerson, readSettings } from "../people/open-person.ts";
import { listUnreachable, printUnreachable, unreachableSchema } from "../people/unreachable.ts";

const resultSchema = z.strictObject({
  app: z.string(),
  uid: z.string(),
  isRehearsal: z.boolean(),
  stores: z.array(
    z.strictObject({
      store: z.string(),
      found: z.number(),
      /** What a search found afterwards; for a rehearsal the same as before. */
      remains: z.number(),
    }),
  ),
  unreachable: unreachableSchema,
});

type Erasure = z.infer<typeof resultSchema>;

export const peopleErase = defineCommand({
  name: "people erase",
  summary: "erase what is stored about a user of an app, and the user",
  description:
    "Erases from the deployment's own stores first, then from the platform, permanently, and searches again at the end. May be stopped anywhere and run again. Users under `legalHold` in config/users.yml are refused.",
  examples: [
    ["people erase alice --stage prod --app shop --dry-run", "count what would be erased"],
    ["people erase alice --stage prod --app shop", "count, ask, and erase"],
  ],
  arguments: { uid: argument("the user's uid") },
  options: {
    app: text("<id>", "the app (default: the only one)"),
    dryRun: flag("only count, and change nothing"),
  },
  changes: true,
  json: resultSchema,
  run: async (context): Promise<Erasure> => {
    const { target, args, options, edges, out, confirm } = context;
    const named = await namePerson(context, args.uid, options.app);
    const { app, uid } = named;
    refuse(declaredUsersSchema.parse(await readSettings(context, app, "users.yml")), uid);
    const { own, platform } = await openPerson(context, named);
    const search = () => collect([...own, ...platform], (name) => out.progress(`searching ${name}`));
    const before = await search();
    const toResult = (after: ReadonlyMap<string, Findings>): Erasure => ({
      ...{ app, uid, isRehearsal: options.dryRun },
      stores: [...before].map(([store, findings]) => ({
        store,
        found: findings.found.length,
        remains: countOf(after.get(store)),
      })),
      unreachable: listUnreachable(target.kind, after.values(), edges.now()),
    });
    const all = [...before.values()].reduce((sum, findings) => sum + countOf(findings), 0);
    if (options.dryRun || all === 0) return toResult(before);
    await confirm(
      `Erase the user ${uid} of the app ${app} of ${target.title}, ${all} items in all, permanently?`,
    );
    const note = (name: string, count: number) => {
      if (count > 0) out.note(`${name}: erased ${count}`);
    };
    // The platform reports its deletions: what that left is erased, too.
    await eraseFrom([...own, ...platform, ...own], note, edges.signal);
    return toResult(await search());
  },
  print: ({ app, uid, isRehearsal, stores, unreachable }, out) => {
    if (stores.every(({ found }) => found === 0))
      out.note(`Nothing was found about the user ${uid} of the app ${app}.`);
    for (const { store, found, remains } of stores) {
      if (found + remains === 0) continue;
      out.line(`${store}  ${found} found${isRehearsal ? "" : `, ${remains} remain`}`);
    }
    if (isRehearsal) out.line("This was a rehearsal: nothing was changed.");
    printUnreachable(unreachable, out);
    if (!isRehearsal && isLeft(stores)) out.note("Run it again for the rest.");
  },
  exitCode: ({ isRehearsal, stores }) => (!isRehearsal && isLeft(stores) ? "partlyDone" : "done"),
});

/** Counts what does not end by itself, and what could not be read. */
function countOf({ found, unseen = 0 }: Findings = { found: [] }): number {
  return found.filter(({ endsAt }) => endsAt === undefined).length + unseen;
}

function isLeft(stores: Erasure["stores"]): boolean {
  return stores.some(({ remains }) => remains > 0);
}

/** @throws CliError if the user must be kept, or would be created again */
function refuse({ users, legalHold = [] }: z.infer<typeof declaredUsersSchema>, uid: string): void {
  if (legalHold.includes(uid)) {
    throw new CliError(
      "refused",
      "LEGAL_HOLD",
      "The user is under a legal hold. Nothing was changed.",
      "Remove the uid from `legalHold` in config/users.yml when the hold ends.",
    );
  }
  if (users.some((user) => user.uid === uid)) {
    throw new CliError(
      "refused",
      "IS_DECLARED",
      "The user is declared in config/users.yml, and would be created again. Nothing was changed.",
      "Remove the user there, and deploy first.",
    );
  }
}
