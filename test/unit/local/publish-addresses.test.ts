import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import type { Cloud } from "../../../local/cloud/start-cloud.ts";
import { publishAddresses } from "../../../local/stack/publish-addresses.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

it("removes the files of killed stacks, and in the end its own", () => {
  const project = temporaryFolder();
  const folder = join(project, ".worlds");
  const { pid: deadPid } = spawnSync(process.execPath, ["--version"]);
  const others = [`${process.ppid}.json`, "notes.txt"];
  mkdirSync(folder);
  for (const name of [`${deadPid}.json`, ...others]) writeFileSync(join(folder, name), "{}");
  const endpoints = {} as Cloud["endpoints"];

  const untell = publishAddresses(project, { region: "us-east-1", endpoints });

  expect(readdirSync(folder).toSorted()).toEqual([`${process.pid}.json`, ...others].toSorted());
  untell();
  expect(readdirSync(folder).toSorted()).toEqual(others.toSorted());
});
