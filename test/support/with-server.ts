import { afterAll, beforeAll, onTestFinished } from "vitest";
import { startHarness, type Harness, type HarnessOptions } from "./harness.ts";

/** One service for all tests of a file or a `describe`: it is started before the first and closed after the last. */
export function withServer(options: HarnessOptions = {}): Harness {
  // Empty until `beforeAll` has run: destructure it inside tests only.
  const service = {} as Harness;
  beforeAll(async () => void Object.assign(service, await startHarness(options)));
  afterAll(() => service.close());
  return service;
}

/** Another service with other options for the test that is running; it is closed when the test ends, also by failing. */
export async function startForTest(options: HarnessOptions = {}): Promise<Harness> {
  const service = await startHarness(options);
  onTestFinished(() => service.close());
  return service;
}
