// The same for each file of tests: one browser and its racks, and how much is run.
import { after, test } from 'node:test';
import fs from 'node:fs';
import { browser_path, open_browser } from './browser.js';
import { Rack } from './rack.js';

/** With SMSRACK_WEB_ALL=1 everything is run, otherwise what takes seconds. */
export const all = process.env.SMSRACK_WEB_ALL === '1';

if (!fs.existsSync(browser_path)) {
  console.log(`web: skipped, there is no ${browser_path}`);
  process.exit(77);
}

let browser;
const racks = new Map();

export async function the_browser() {
  browser ??= await open_browser();
  return browser;
}
/** A rack that several tests of a file share; `fill` is called once. */
export async function shared_rack(name, plan, fill = async () => ({})) {
  if (!racks.has(name)) {
    racks.set(name, (async () => {
      const rack = await Rack.start(plan);
      rack.made = await fill(rack);
      return rack;
    })());
  }
  return racks.get(name);
}

after(async () => {
  await browser?.close();
  for (const rack of racks.values()) await (await rack.catch(() => null))?.stop();
});

/** A test that only `--all` runs. */
export const long_test = (name, ...rest) => (all ? test(name, ...rest) : undefined);
export { test };
