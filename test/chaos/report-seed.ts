import { beforeEach } from "vitest";
import { seed } from "./seeds.ts";

beforeEach(({ onTestFailed }) => {
  onTestFailed(() => console.error(`CHAOS_SEED=${seed} plays the same run again.`));
});
