/**
 * Lambda replaces `console.log`: in text format it prefixes each line; in JSON format it wraps it and drops
 * lines below its level. Both would lose a metric. Standard output reaches CloudWatch unchanged in both.
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/LogPatch.js
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
