import { mergeConfig } from "vitest/config";
import shared from "../../vitest.config.ts";

/** The unit tests of one group alone, which tools/mutate.ts names: a mutant is judged in seconds. */
const tests = process.env.MUTATION_TESTS ?? "test/unit/**/*.test.ts";
// Each project would add its own tests.
const { projects: _, ...test } = shared.test ?? {};

export default mergeConfig({ ...shared, test }, { test: { include: tests.split(" ") } });
