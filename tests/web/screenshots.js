#!/usr/bin/env node
// Draws the README's pictures of the dashboard, from a rack on which everything happened once: docs/pictures/NAME.png.
//
//   tests/web/screenshots.js [FOLDER [all]]
//
// `all`: each screen at 1280, 768 and 360 px in both schemes, to look at.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { login, open, open_browser } from './support/browser.js';
import { fill, filled_plan } from './support/filled.js';
import { Rack } from './support/rack.js';
import { screens } from './support/screens.js';
import { pause } from './support/wait.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const folder = process.argv[2] ?? path.join(root, 'docs/pictures');
const all = process.argv[3] === 'all';
const readme = [['Now', 'light'], ['Now', 'dark'], ['Message', 'light'], ['Inbox', 'light']];

const rack = await Rack.start({ ...filled_plan, modems: 8 });
const browser = await open_browser();
try {
  const made = await fill(rack, { messages: 400 });
  fs.mkdirSync(folder, { recursive: true });
  for (const scheme of ['light', 'dark']) {
    for (const width of all ? [1280, 768, 360] : [1280]) {
      const context = await login(browser, rack, 'admin', { colorScheme: scheme, viewport: { width, height: width < 500 ? 740 : 800 } });
      for (const screen of screens) {
        if (!all && !readme.some(([name, which]) => name === screen.name && which === scheme)) continue;
        const page = await open(context, rack, screen.name === 'Inbox' && !all ? screens.find(({ name }) => name === 'Conversation').at(made) : screen.at(made));
        await pause(1200);
        const name = [screen.name.toLowerCase().replaceAll(' ', '-'), all && width, scheme].filter(Boolean).join('-');
        await page.screenshot({ path: path.join(folder, `${name}.png`) });
        await page.close();
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await rack.stop();
}
