import type { Reporter, TestModule } from "vitest/node";

/**
 * Names, at the end of a run, each test that passed at its second try only: the run is green, and the test is a defect
 * until somebody has found what it takes for granted.
 */
export function secondTries(): Reporter {
  return {
    onTestRunEnd(modules) {
      const found = modules.flatMap(namesIn);
      if (found.length === 0) return;
      console.log(`\nPassed at the second try only (see CONTRIBUTING.md):\n${found.join("\n")}\n`);
    },
  };
}

function namesIn(module: TestModule): readonly string[] {
  const flaky = [...module.children.allTests()].filter((test) => test.diagnostic()?.flaky === true);
  return flaky.map(({ fullName }) => `  ${module.relativeModuleId} > ${fullName}`);
}
