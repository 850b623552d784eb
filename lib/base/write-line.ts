/**
 * Writes a line to standard output unchanged. Lambda replaces `console.log`: in text format it adds a prefix
 * to each line; in JSON format it wraps the line into a string of another object and drops lines below its
 * log level. Both would lose a metric in the line. Direct output to standard output reaches CloudWatch
 * unchanged in both formats.
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/LogPatch.js
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
