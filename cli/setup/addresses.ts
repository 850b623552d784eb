import { randomInt } from "node:crypto";
import { join } from "node:path";
import { isMap, parseDocument, YAMLMap } from "yaml";
import { readStages } from "../../build/stages.ts";
import type { ManagementClient } from "../../lib/chat/management/management-client.ts";
import { plainUrlOf } from "../../lib/receive/webhook-url.ts";
import { editFile } from "../apps/edit-apps-file.ts";
import { CliError } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import type { AddressList } from "../deploy/deployed-addresses.ts";

/**
 * Lists the addresses that the stage should have: a new one before what is deployed, if the stage has none
 * or a new one is wanted; a begun change is first taken to its end. May be repeated.
 * @throws CliError if the file cannot be edited
 */
export async function putAddress(
  ground: WorkContext,
  deployed: AddressList | undefined,
  wantsNew: boolean,
): Promise<AddressList> {
  const { edges, target, confirm, isDryRun } = ground;
  const listed = (await readStages(edges.projectFolder)).get(target.stage)?.addresses ?? [""];
  const isSettled = listed.length === 1 && (deployed ?? listed).join() === listed.join();
  if (listed[0] !== "" && !(wantsNew && isSettled)) return listed;
  const isForgotten = listed[0] === "" && (deployed?.[0] ?? "") !== "";
  const list = isForgotten ? (deployed ?? []) : [newAddress(), ...(deployed ?? [])];
  if (isDryRun) await confirm("List a new address in config/stages.yml.");
  else await writeAddresses(ground, list);
  return list;
}

/** 24 letters and digits. */
function newAddress(): string {
  return Array.from({ length: 24 }, () => randomInt(36).toString(36)).join("");
}

/** @throws CliError if the file cannot be edited */
export async function writeAddresses(
  { edges, target: { stage } }: WorkContext,
  list: AddressList,
): Promise<void> {
  await editFile(join(edges.projectFolder, "config", "stages.yml"), (text) => {
    const document = parseDocument(text);
    if (document.get(stage) == null) document.set(stage, new YAMLMap());
    if (!isMap(document.get(stage))) {
      throw new CliError(
        "refused",
        "STAGES_FILE_NOT_EDITED",
        "config/stages.yml has a form that commands cannot edit. Nothing was changed in it.",
        `Edit the file: the stage ${stage} must have addresses: ${JSON.stringify(list)}, and run the command again.`,
      );
    }
    document.setIn([stage, "addresses"], document.createNode(list, { flow: true }));
    return document.toString({ lineWidth: 0, flowCollectionPadding: false, nullStr: "" });
  });
}

/**
 * Changes what leads to an earlier address on the platform, of either engine. May be repeated.
 * @throws the client's errors
 */
export async function moveWebhooks(
  clients: readonly Pick<ManagementClient, "webhooks">[],
  appIds: readonly string[],
  httpUrl: string,
): Promise<void> {
  const { origin } = new URL(httpUrl);
  for (const appId of appIds) {
    for (const { webhooks } of clients) {
      for (const { id, webhookURL = "" } of await Array.fromAsync(webhooks.list(appId))) {
        const plain = plainUrlOf(webhookURL);
        const path = plain.slice(origin.length);
        const isOurs = plain.startsWith(`${origin}/`) && /^\/(webhooks|before-message)\/[^/]+$/.test(path);
        if (isOurs && webhookURL !== httpUrl + path) {
          await webhooks.update(appId, id, { webhookURL: httpUrl + path });
        }
      }
    }
  }
}
