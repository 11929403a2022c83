/** Processor time of work in tests, which other programs do not change as they do the time of a clock. */
export async function processorMilliseconds(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
