// Each screen in each of its states, in both schemes: it opens, axe finds nothing, the policy reports nothing, nothing is too wide.
import assert from 'node:assert/strict';
import { accessible_text, axe_violations, check_clean, check_width, login, open } from './support/browser.js';
import { fill, filled_plan } from './support/filled.js';
import { screens } from './support/screens.js';
import { all, shared_rack, test, the_browser } from './support/suite.js';
import { pause } from './support/wait.js';

const schemes = ['light', 'dark'];
const widths = all ? [1280, 768, 360, 320] : [1280, 320];

const answer_held = (page) => page.route(/\/v1\/(?!session|events)/, () => {});
const answer_failed = (page) => page.route(/\/v1\/(?!session|events)/, (route) => route.fulfill({
  status: 500, contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: 'A fault of the service', status: 500, detail: 'the test says so', code: 'storage' }),
}));

async function check(page, what, axe = true) {
  await check_clean(page, what);
  if (axe) assert.deepEqual(await axe_violations(page), [], `${what}: axe`);
}

async function on_page(scheme, rack, where, use, prepare = async () => {}) {
  const context = await login(await the_browser(), rack, 'admin', { colorScheme: scheme });
  try {
    const page = await context.newPage();
    await prepare(page);
    await page.goto(rack.address + where);
    await page.locator('main h1').first().waitFor();
    await use(page);
  } finally {
    await context.close();
  }
}

for (const [at, screen] of screens.entries()) {
  for (const scheme of all ? schemes : [schemes[at % 2]]) {
    test(`${screen.name}, filled, ${scheme}`, async () => {
      const rack = await shared_rack(...screen.rack);
      await on_page(scheme, rack, screen.at(rack.made), async (page) => {
        await pause(700); // its answers, and the second script
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          await check_width(page, `${screen.name} at ${width} px`);
          // As high as its content: axe counts what has been scrolled half below a bar as too small to touch.
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          await page.setViewportSize({ width, height: Math.max(800, height) });
          if (width === 1280 || all) await check(page, `${screen.name} at ${width} px, ${scheme}`);
        }
      });
    });
    if (!all) continue;
    test(`${screen.name}, while it loads, ${scheme}`, async () => {
      const rack = await shared_rack(...screen.rack);
      await on_page(scheme, rack, screen.at(rack.made), async (page) => {
        await pause(600);
        await check(page, `${screen.name} while it loads, ${scheme}`);
      }, answer_held);
    });
    test(`${screen.name}, when the service fails, ${scheme}`, async () => {
      const rack = await shared_rack(...screen.rack);
      await on_page(scheme, rack, screen.at(rack.made), async (page) => {
        await pause(600);
        const text = await accessible_text(page);
        if (!screen.at(rack.made).startsWith('/send')) assert.match(text, /the test says so|storage/, screen.name);
        await check(page, `${screen.name} when the service fails, ${scheme}`);
      }, answer_failed);
    });
    test(`${screen.name}, when there is nothing, ${scheme}`, async () => {
      const rack = await shared_rack('empty', { modems: 1 });
      await on_page(scheme, rack, screen.at({}), async (page) => {
        await pause(500);
        if (screen.empty) assert.match(await accessible_text(page), screen.empty);
        await check(page, `${screen.name} when there is nothing, ${scheme}`);
      });
    });
  }
}

test('a list that is too long shows its first page and more on demand', async () => {
  const rack = await shared_rack('filled', filled_plan, fill);
  await on_page('light', rack, '/messages', async (page) => {
    const rows = page.locator('main tbody tr');
    await rows.first().waitFor();
    const first = await rows.count();
    assert.ok(first <= 100, `${first} rows at once`);
    await page.getByRole('button', { name: /show more/i }).click();
    await page.waitForFunction((before) => document.querySelectorAll('main tbody tr').length > before, first);
  });
});

test('without a session there is no data, only the login; afterwards one is where one wanted to be', async () => {
  const rack = await shared_rack('filled', filled_plan, fill);
  const context = await login(await the_browser(), rack, null);
  try {
    const page = await context.newPage();
    await page.goto(`${rack.address}/messages?state=failed`);
    const field = page.locator('input[type=password]');
    await field.waitFor();
    assert.doesNotMatch(await accessible_text(page), /\+336/);
    await field.fill(`smsrack_${'0'.repeat(64)}`);
    await field.press('Enter');
    await page.getByRole('alert').waitFor();
    await check(page, 'login');
    await field.fill(rack.tokens.admin);
    await field.press('Enter');
    await page.locator('main tbody tr').first().waitFor();
    assert.match(page.url(), /\/messages\?state=failed$/);
    const rows = await page.locator('main tbody tr').allInnerTexts();
    assert.ok(rows.every((row) => /failed/i.test(row)), rows.join(' | '));
  } finally {
    await context.close();
  }
});

test('what has the focus is never hidden below a bar', async () => {
  const rack = await shared_rack('filled', filled_plan, fill);
  await on_page('light', rack, '/', async (page) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.locator('main .talks a').first().waitFor();
    for (let n = 0; n < 40; ++n) {
      await page.keyboard.press('Tab');
      const hidden = await page.evaluate(() => {
        const one = document.activeElement;
        const { left, top, width, height } = one.getBoundingClientRect();
        const above = document.elementFromPoint(left + width / 2, top + height / 2);
        return one === document.body || one.contains(above) ? null : `${one.outerHTML.slice(0, 120)} is below ${above?.outerHTML.slice(0, 120)}`;
      });
      assert.equal(hidden, null);
    }
  });
});
