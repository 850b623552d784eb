import { writeFile } from "node:fs/promises";
import * as z from "zod/mini";
import { hideSecrets } from "../../lib/base/known-secrets.ts";
import { collect, eraseFrom, type Findings } from "../../lib/operate/personal-data/personal-store.ts";
import { CliError, wrongUse } from "../cli-error.ts";
import { type Command, defineCommand } from "../command.ts";
import { argument, flag, text } from "../options.ts";
import { listUnreachable, unreachableSchema } from "../people/list-unreachable.ts";
import { openPerson } from "../people/open-person.ts";

const itemSchema = z.strictObject({
  id: z.string(),
  content: z.unknown(),
  /** When it ends by itself, if it cannot be erased. */
  endsAt: z.optional(z.iso.datetime()),
});

const common = { app: z.string(), uid: z.string(), unreachable: unreachableSchema };

const exportSchema = z.strictObject({
  ...common,
  at: z.iso.datetime(),
  /** The file with the items. */
  file: z.optional(z.string()),
  /** `items` is absent if a file has them. */
  stores: z.array(
    z.strictObject({ store: z.string(), count: z.number(), items: z.optional(z.array(itemSchema)) }),
  ),
});

const erasureSchema = z.strictObject({
  ...common,
  isRehearsal: z.boolean(),
  /** `remains` is what a search found afterwards, without what ends by itself. */
  stores: z.array(z.strictObject({ store: z.string(), found: z.number(), remains: z.number() })),
});

type Erasure = z.infer<typeof erasureSchema>;

const uidArgument = { uid: argument("the user's uid") };
const appOption = { app: text("<id>", "the app (default: the only one)") };

const exportPerson = defineCommand({
  name: "people export",
  summary: "export what is stored about a user of an app",
  description:
    "Searches the platform, the tables, the dead letters, the quarantine and the flows, and prints one JSON document. Names what cannot be reached. Changes nothing; hides the messages of two queues for a moment.",
  examples: [
    ["people export alice --stage prod --app shop --to alice.json", "write a file that only you can read"],
    ["people export alice --local", "print the document"],
  ],
  arguments: uidArgument,
  options: { ...appOption, to: text("<file>", "write the document to a new file with mode 0600") },
  json: exportSchema,
  run: async (context) => {
    const { options, edges, out } = context;
    const { app, uid, own, platform, logDays } = await openPerson(context);
    const findings = await collect([...platform, ...own], (name) => out.progress(`searching ${name}`));
    const stores = [...findings].map(([store, found]) => ({
      ...{ store, count: found.length },
      items: found.map(({ erase: _, ...item }) => item),
    }));
    const at = new Date(edges.now()).toISOString();
    const result = { app, uid, at, stores, unreachable: listUnreachable(findings, edges.now(), logDays) };
    const { to: file } = options;
    if (file === undefined) return result;
    // A file that exists may have other rights, or readers.
    await writeFile(file, `${hideSecrets(JSON.stringify(result, null, 2))}\n`, {
      ...{ mode: 0o600, flag: "wx" },
    }).catch((error: Error) => {
      throw wrongUse(`The file cannot be written: ${error.message}`, "Name a file that does not exist.");
    });
    return { ...result, file, stores: stores.map(({ store, count }) => ({ store, count })) };
  },
  print: (result, out) => {
    out.line(result.file === undefined ? JSON.stringify(result, null, 2) : `written to ${result.file}`);
  },
  exitCode: ({ stores }) => (stores.every(({ count }) => count === 0) ? "notThere" : "done"),
});

const erasePerson = defineCommand({
  name: "people erase",
  summary: "erase what is stored about a user of an app, and the user",
  description:
    "Erases from the deployment's own stores first, then from the platform, permanently, and searches again at the end. May be stopped anywhere and run again. Users under `legalHold` in config/users.yml are refused.",
  examples: [
    ["people erase alice --stage prod --app shop --dry-run", "count what would be erased"],
    ["people erase alice --stage prod --app shop", "count, ask, and erase"],
  ],
  arguments: uidArgument,
  options: { ...appOption, dryRun: flag("only count, and change nothing") },
  changes: true,
  json: erasureSchema,
  run: async (context): Promise<Erasure> => {
    const { target, options, edges, out, confirm } = context;
    const { app, uid, own, platform, readHolds, logDays } = await openPerson(context);
    if ((await readHolds()).has(uid)) {
      throw new CliError(
        "refused",
        "LEGAL_HOLD",
        "The user is under a legal hold. Nothing was changed.",
        "When the hold ends, remove the uid from `legalHold` in config/users.yml.",
      );
    }
    const search = () => collect([...own, ...platform], (name) => out.progress(`searching ${name}`));
    const before = await search();
    const toResult = (after: Findings): Erasure => ({
      ...{ app, uid, isRehearsal: options.dryRun },
      stores: [...before].map(([store, found]) => ({
        ...{ store, found: found.length },
        remains: (after.get(store) ?? []).filter(({ endsAt }) => endsAt === undefined).length,
      })),
      unreachable: listUnreachable(after, edges.now(), logDays),
    });
    const planned = toResult(before);
    if (options.dryRun || !isLeft(planned)) return planned;
    await confirm(`Erase the user ${uid} of the app ${app} of ${target.title} permanently?`);
    const note = (name: string, count: number) => out.note(`${name}: erased ${count}`);
    // The platform reports its deletions: what that left is erased, too.
    await eraseFrom([...own, ...platform, ...own], note, edges.signal);
    return toResult(await search());
  },
  print: ({ isRehearsal, stores, unreachable }, out) => {
    for (const { store, found, remains } of stores)
      if (found + remains > 0)
        out.line(`${store}  ${found} found${isRehearsal ? "" : `, ${remains} remain`}`);
    for (const { what, endsAt = "" } of unreachable)
      out.line(`cannot be reached: ${what}${endsAt && `, until ${endsAt.slice(0, 10)} at the latest`}`);
    if (isRehearsal) out.line("This was a rehearsal: nothing was changed.");
    else if (isLeft({ stores })) out.note("Run it again for the rest.");
  },
  exitCode: (result) => (!result.isRehearsal && isLeft(result) ? "partlyDone" : "done"),
});

/** The commands for the personal data of a user. */
export const people: readonly Command[] = [exportPerson, erasePerson];

function isLeft({ stores }: Pick<Erasure, "stores">): boolean {
  return stores.some(({ remains }) => remains > 0);
}
