/**
 * Builds the program once before the tests, into a folder of its own, so that end-to-end tests run what
 * users get and never disturb (nor are disturbed by) the checkout's own dist/.
 */
import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from '../../scripts/build.ts';

const into = fileURLToPath(new URL(`../../node_modules/.cache/pixctl-test-${process.pid}/`, import.meta.url));

export default async function setup(): Promise<() => Promise<void>> {
  await mkdir(into, { recursive: true });
  await build({ into });
  process.env.PIXCTL_TEST_BIN = `${into}bin/pixctl.js`;
  return () => rm(into, { recursive: true, force: true });
}
