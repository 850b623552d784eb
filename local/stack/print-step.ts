import process from "node:process";
import type { JourneyStep } from "./journey.ts";

export function printStep({ name, outcome }: JourneyStep): void {
  process.stdout.write(`  ${name.padEnd(58)} ${outcome}\n`);
}
