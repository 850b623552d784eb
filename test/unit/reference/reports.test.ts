import { describe, expect, it } from "vitest";
import { foldReport } from "../../../package/tools/fold-report.ts";
import { sortReport } from "../../../package/tools/sort-report.ts";

const report = (...blocks: string[]) => `## Report\n\n\`\`\`ts\n\n${blocks.join("\n\n")}\n\n\`\`\`\n`;

describe("foldReport", () => {
  it("shows an operation by its request, without its schemas", () => {
    const users = `// @public
export const users: {
    readonly create: {
        readonly id: "create-user";
        readonly input: () => z.ZodMiniObject<{
            uid: Schema<string, string>;
        }, z.core.$strict>;
        readonly answer: typeof userAnswer;
        readonly rateClass: "core";
    };
};`;

    expect(foldReport(users)).toBe(`// @public
export const users: {
    readonly create: {
        readonly id: "create-user";
        readonly rateClass: "core";
    };
};`);
  });

  it("leaves out schemas that are not exported, with what is said of them, and keeps those that are", () => {
    const folded = foldReport(
      "import { ZodMiniObject } from 'zod/mini';\n\n// @public\nconst answer: () => z.ZodMiniObject<{\n    id: string;\n}>;\n\nexport const rules: z.ZodMiniObject<{}>;",
    );

    expect(folded.trim()).toBe("export const rules: z.ZodMiniObject<{}>;");
  });

  it("is the same for lines that end as on another system", () => {
    expect(foldReport("a\r\n    // (undocumented)\r\nb\r\n")).toBe("a\nb\n");
  });
});

describe("sortReport", () => {
  it("puts first what is exported, then what that is made of", () => {
    const sorted = sortReport(report("type Part = 1;", "export type Whole = Part;"), new Set());

    expect(sorted.indexOf("export type Whole")).toBeLessThan(sorted.indexOf("type Part"));
    expect(sorted).toContain("does not export by itself");
  });

  it("tells a part once, in the first report that has it, whatever number a later one gives it", () => {
    const told = new Set<string>();

    sortReport(report("export interface User {\n    uid: string;\n}"), told);
    const second = sortReport(
      report("interface User_2 {\n    uid: string;\n}", "interface User {\n    other: string;\n}"),
      told,
    );

    expect(second).not.toContain("User_2");
    expect(second).toContain("other: string");
  });

  it("tells all that is exported, told before or not", () => {
    const told = new Set<string>();
    const user = report("export type User = 1;");

    expect(sortReport(user, told)).toBe(sortReport(user, told));
  });
});
