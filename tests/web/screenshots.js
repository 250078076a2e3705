#!/usr/bin/env node
// Draws the README's pictures of the dashboard, from a rack on which everything happened once: docs/pictures/NAME.png.
//
//   tests/web/screenshots.js [FOLDER [all]]
//
// `all`: each screen in its whole length, with content and without, at 1280, 768 and 360 px in both schemes, to look at.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { login, open, open_browser } from './support/browser.js';
import { fill, filled_plan } from './support/filled.js';
import { Rack } from './support/rack.js';
import { screens } from './support/screens.js';
import { pause, wait } from './support/wait.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = process.argv[2] ?? path.join(root, 'docs/pictures');
const all = process.argv[3] === 'all';
const readme = [['Now', 'light'], ['Now', 'dark'], ['Message', 'light'], ['Inbox', 'light']];
const schemes = ['light', 'dark'];
const file_of = (...parts) => path.join(folder, `${parts.join('-').toLowerCase().replaceAll(' ', '-')}.png`);

async function draw(browser, rack, where, scheme, width, file) {
  const context = await login(browser, rack, 'admin', { colorScheme: scheme, viewport: { width, height: width < 500 ? 740 : 800 } });
  const page = await open(context, rack, where);
  await pause(1200);
  await page.screenshot({ path: file, fullPage: all });
  await context.close();
}

/** Its first minute is over, which is in the history then; two modems have a problem, and messages wait. */
async function at_work(rack) {
  await wait('the history to begin', async () => (await rack.get('/v1/history?step=1m')).all.sent.some((n) => n > 0), 130);
  await rack.simulate({ do: 'network_lost', modem: 2 });
  await rack.simulate({ do: 'sim_removed', modem: 3 });
  await wait('both to be noticed', async () => (await rack.get('/v1/attention')).total >= 3, 120);
  await rack.send_all(Array.from({ length: 600 }, (_, n) => ({ to: `+33600002${String(n).padStart(3, '0')}`, text: `Number ${n} of the summer letter.`, batch: 'summer' })));
}

async function draw_readme(browser, rack, made) {
  await at_work(rack);
  for (const [name, scheme] of readme) {
    const screen = screens.find((one) => one.name === (name === 'Inbox' ? 'Conversation' : name));
    await draw(browser, rack, screen.at(made), scheme, 1280, file_of(name, scheme));
  }
}

async function draw_all(browser, rack, made, of, kind) {
  for (const screen of of) {
    for (const scheme of schemes) {
      for (const width of [1280, 768, 360]) await draw(browser, rack, screen.at(made), scheme, width, file_of(screen.name, ...kind, width, scheme));
    }
  }
}

async function on_rack(plan, fill_it, use) {
  const rack = await Rack.start(plan);
  try {
    await use(rack, await fill_it(rack));
  } finally {
    await rack.stop();
  }
}

fs.mkdirSync(folder, { recursive: true });
const browser = await open_browser();
try {
  if (all) {
    for (const name of new Set(screens.map(({ rack }) => rack[0]))) {
      const of = screens.filter(({ rack }) => rack[0] === name);
      const [, plan, fill_it] = of[0].rack;
      await on_rack(plan, fill_it, (rack, made) => draw_all(browser, rack, made, of, []));
    }
    await on_rack({ modems: 1 }, () => ({}), (rack, made) => draw_all(browser, rack, made, screens, ['empty']));
  } else {
    await on_rack({ ...filled_plan, modems: 8 }, (rack) => fill(rack, { messages: 400 }), (rack, made) => draw_readme(browser, rack, made));
  }
} finally {
  await browser.close();
}
