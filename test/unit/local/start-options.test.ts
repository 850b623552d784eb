import { expect, it } from "vitest";
import { parseStartOptions } from "../../../local/stack/start-options.ts";

it("gives each function its own debug port", () => {
  const { inspect } = parseStartOptions([
    "--inspect",
    "webhook",
    "--inspect",
    "seed",
    "--inspect",
    "login=0",
  ]);

  expect(inspect).toEqual({ webhook: 9229, seed: 9230, login: 0 });
});

it.each([
  ["--inspect seed=9300 --inspect webhook=9300", "names the port 9300 twice"],
  ["--inspect seed --inspect seed", "names the function seed twice"],
  ["--inspect seed=many", 'not "seed=many"'],
  ["--port 70000", '--port is a number from 0 to 65535, not "70000".'],
  ["--data package.json", "--data is a folder, and package.json is a file."],
  ["--secret loginSecret", "--secret wants a field of the app's secret"],
])("refuses %s", (line, reason) => {
  expect(() => parseStartOptions(line.split(" "))).toThrow(reason);
});
