// Texts of strangers look like what they are: no markup, no hidden characters, no links.
import assert from 'node:assert/strict';
import { check_clean, login, open } from './support/browser.js';
import { attacks, fill, filled_plan } from './support/filled.js';
import { shared_rack, test, the_browser } from './support/suite.js';
import { wait } from './support/wait.js';

async function with_page(where, use) {
  const rack = await shared_rack('filled', filled_plan, (one) => fill(one, { messages: 20 }));
  const context = await login(await the_browser(), rack, 'admin');
  try {
    const page = await open(context, rack, where);
    page.on('dialog', (dialog) => { throw new Error(`a dialog opened: ${dialog.message()}`); });
    await use(page, rack);
    await check_clean(page, where);
    assert.equal(await page.locator('main img, main script, main iframe').count(), 0);
    for (const href of await page.locator('main a').evaluateAll((links) => links.map((link) => link.href))) {
      assert.ok(href.startsWith(rack.address) || href.startsWith('tel:'), `a link to ${href}`);
    }
  } finally {
    await context.close();
  }
}

test('in the list of messages', () => with_page('/messages?q=3360000045', async (page) => {
  for (const { seen, sent } of attacks) {
    if (sent !== false) await page.locator('main').getByText(seen, { exact: false }).first().waitFor();
  }
}));

test('in the inbox, and in a thread', () => with_page('/inbox', async (page, rack) => {
  for (const [at, { seen, sent }] of attacks.entries()) {
    if (sent === false) continue;
    const number = `+3360000047${at}`;
    await page.locator('main').getByText(number).first().waitFor();
    await page.goto(`${rack.address}/inbox/${encodeURIComponent(number)}`);
    await page.locator('.thread-rows').getByText(seen, { exact: false }).first().waitFor();
    await page.goto(`${rack.address}/inbox`);
  }
}));

test('a text of right-to-left override keeps its order', () => with_page('/inbox/%2B33600000471', async (page) => {
  const bubble = page.locator('.thread-rows').getByText('U+202E').first();
  await bubble.waitFor();
  const text = await page.locator('.thread-rows .text').first().innerText();
  assert.doesNotMatch(text, /[\u202a-\u202e\u2066-\u2069]/);
}));

test('a number or a name in the address is data, too', async () => {
  const rack = await shared_rack('filled', filled_plan, (one) => fill(one, { messages: 20 }));
  const context = await login(await the_browser(), rack, 'admin');
  try {
    for (const where of ['/messages?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E', '/batches/%3Cimg%20src=x%3E', '/inbox/%3Cscript%3Ealert(1)%3C%2Fscript%3E', '/triggers/%E2%80%AE']) {
      const page = await open(context, rack, where);
      await wait('an answer', async () => (await page.locator('main').innerText()).length > 20);
      assert.equal(await page.locator('main img, main script').count(), 0, where);
      await check_clean(page, where);
      await page.close();
    }
    // No screen is that deep, so there is no page whose links would lead elsewhere.
    assert.equal((await context.request.get(`${rack.address}/modems/..%2F..%2Fv1`)).status(), 404);
  } finally {
    await context.close();
  }
});

test('10,000 characters do not push everything else away', async () => {
  const rack = await shared_rack('filled', filled_plan, (one) => fill(one, { messages: 20 }));
  const context = await login(await the_browser(), rack, 'admin');
  const page = await context.newPage();
  try {
    await page.route(/\/v1\/messages\/\d+$/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), text: `${'a'.repeat(9_990)}\u0000the end` } });
    });
    await page.goto(`${rack.address}/messages/${rack.made.delivered}`);
    const more = page.getByRole('button', { name: /show all 9,998 characters/i });
    await more.waitFor();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height < 4000, `the page is ${height} px high`);
    await more.click();
    await page.getByText('U+0000').waitFor();
    await check_clean(page, 'a long text');
  } finally {
    await page.unrouteAll({ behavior: 'wait' });  // the page may just ask again
    await context.close();
  }
});
