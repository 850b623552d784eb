// A separate process: errors in the current source cannot end the console. Reads `{folder, flow?, input?}`
// from stdin and writes `{kinds, misfit?}`.
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const { folder, flow, input } = JSON.parse(await text(process.stdin));
const { ownFlows } = await import(pathToFileURL(join(folder, "functions", "own", "flows.ts")).href);
const found = ownFlows.find(({ name }) => name === flow);
const kinds = ownFlows.map((one) => ({
  name: one.name,
  waitsFor: [...one.waitsFor],
  input: likelyInput(one),
}));
process.stdout.write(JSON.stringify({ kinds, misfit: found?.misfitOf(input) }));

function likelyInput(one) {
  let guess = {};
  for (let round = 0; round < 50; round += 1) {
    const paths = misfitsOf(one, guess);
    const path = paths.find((some) => some !== "input");
    if (path === undefined) return guess;
    const better = ["", 0, false, {}, []]
      .map((value) => setAt(guess, path.split("."), value))
      .find((some) => !misfitsOf(one, some).includes(path));
    guess = better ?? setAt(guess, path.split("."), "");
    if (better === undefined) return guess;
  }
  return guess;
}

function misfitsOf(one, value) {
  const misfit = one.misfitOf(value);
  return misfit === undefined ? [] : misfit.split("; ").map((some) => some.split(":")[0] ?? "");
}

function setAt(value, [name, ...rest], inner) {
  if (name === undefined) return inner;
  return { ...value, [name]: setAt(value?.[name], rest, inner) };
}
