import { describe, expect, it } from "vitest";
import { createCountMetric, metricNamespace } from "../../../lib/base/count-metric.ts";

describe("createCountMetric", () => {
  it("writes one line in the embedded metric format", () => {
    const { count, lines } = createWorld();

    count("DeliveryQuarantined", { appId: "app-1" }, { requestId: "r-1" });

    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        _aws: {
          Timestamp: 5,
          CloudWatchMetrics: [
            {
              Namespace: metricNamespace,
              Dimensions: [["appId"]],
              Metrics: [{ Name: "DeliveryQuarantined", Unit: "Count" }],
            },
          ],
        },
        requestId: "r-1",
        appId: "app-1",
        DeliveryQuarantined: 1,
      },
    ]);
  });

  it.each([
    ["", "none"],
    ["  ", "none"],
    ["zürich\n1", "z?rich?1"],
    ["x".repeat(3_000), "x".repeat(1_024)],
  ])("gives no dimension a value that CloudWatch would drop the metric for: %j", (value, expected) => {
    const { count, lines } = createWorld();

    count("Counted", { appId: value });

    expect(JSON.parse(lines[0] ?? "").appId).toBe(expected);
  });

  it("gives a metric no more dimensions than CloudWatch takes", () => {
    const { count, lines } = createWorld();

    count("Counted", Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`d${index}`, "x"])));

    expect(JSON.parse(lines[0] ?? "")._aws.CloudWatchMetrics[0].Dimensions[0]).toHaveLength(30);
  });

  it("lets no fact pass for the metric or a dimension", () => {
    const { count, lines } = createWorld();

    count("Counted", { appId: "app-1" }, { appId: "other", Counted: 7 });

    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ appId: "app-1", Counted: 1 });
  });

  it("goes on where a line cannot be written", () => {
    const count = createCountMetric(
      () => {
        throw new Error("EPIPE");
      },
      () => 5,
    );

    expect(() => count("Counted", {})).not.toThrow();
  });
});

function createWorld() {
  const lines: string[] = [];
  const count = createCountMetric(
    (line) => lines.push(line),
    () => 5,
  );
  return { count, lines };
}
