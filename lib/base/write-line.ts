/**
 * Writes a line to standard output as it is. Lambda replaces `console.log`: in its text format each line gets a prefix,
 * in its JSON format the line becomes a text within another object, and below its log level it is dropped; a metric in
 * the line is then lost. What is written to standard output itself goes to CloudWatch as it is under both formats.
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/LogPatch.js
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
