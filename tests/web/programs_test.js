// SMPP accounts on the screen Programs: what the gate reports of them, and that it may report nothing.
import assert from 'node:assert/strict';
import { axe_violations, check_clean, check_width, login, open } from './support/browser.js';
import { Esme } from './support/esme.js';
import { shared_rack, test, the_browser } from './support/suite.js';
import { wait } from './support/wait.js';

const esme = await Esme.make('bank', 'courier');

async function with_page(use, { where = '/programs', role = 'admin', answer } = {}) {
  const rack = await shared_rack('programs', { modems: 1, config: esme.config });
  const context = await login(await the_browser(), rack, role);
  try {
    if (answer) await context.route(/\/v1\/smpp$/, answer);
    const page = await open(context, rack, where);
    await use(page, rack);
    await check_clean(page, where);
  } finally {
    await context.close();
  }
}

const card = (page) => page.locator('section').filter({ has: page.getByRole('heading', { name: 'SMPP accounts' }) });
const row_of = (page, name) => page.getByRole('table', { name: 'SMPP accounts' }).getByRole('row').filter({ hasText: name });
const says = (what, place, words) => wait(what, async () => words.test(await place.innerText()), 10);
const json = (status, body) => ({ status, contentType: status === 200 ? 'application/json' : 'application/problem+json', body: JSON.stringify(body) });
const account = (more) => ({ name: 'bank', window: 50, rate_max: 0, sessions_max: 4, bound: 0, waiting: 0, delivered: 0, refused: 0, throttled: 0, sessions: [], ...more });
const session = (more) => ({ since: '2026-11-27T10:00:00Z', address: '192.0.2.7', tls: true, bind: 'rx', requests: 3, in_flight: 0, delivering: 0, last_refusal: null, last_refusal_at: null, ...more });

test('an SMPP account is bound while a client is, and its last refusal is shown', () => with_page(async (page) => {
  await says('both accounts to be there', card(page), /bank[^]*Not bound[^]*0 of 4[^]*courier[^]*Not bound/);
  await esme.bind();
  await esme.submit_to_nobody();
  await says('the session', row_of(page, 'bank'), /\sBound\s+1 of 4\s+0\s+0\s+ESME_RINVDSTADR just now/);
  await page.getByRole('link', { name: 'bank' }).first().click();
  await says('its page', page.locator('main'), /127\.0\.0\.1[^]*Transceiver[^]*ESME_RINVDSTADR/);
  await esme.unbind();
  await says('the end of the session', page.locator('main'), /Not bound[^]*No session is bound\./);
}));

test('of several sessions the figures are added up, and the newest refusal is shown', () => with_page(async (page) => {
  await says('the account', row_of(page, 'bank'), /\sBound\s+2 of 4\s+42\s+1,234\s+ESME_RTHROTTLED/);
}, {
  answer: (route) => route.fulfill(json(200, { accounts: [account({
    bound: 2, waiting: 1234, sessions: [
      session({ in_flight: 40, last_refusal: 'ESME_RTHROTTLED', last_refusal_at: '2026-11-27T10:05:00Z' }),
      session({ in_flight: 2, last_refusal: 'ESME_RSUBMITFAIL', last_refusal_at: '2026-11-27T10:04:00Z' }),
    ],
  })] })),
}));

test('without an account the page says how to make one', () => with_page(async (page) => {
  await says('the command', card(page), /There is no SMPP account yet\.[^]*smsrack smpp new NAME/);
}, { answer: (route) => route.fulfill(json(200, { accounts: [] })) }));

test('when the gate no longer reports, the page says so instead of showing old figures', async () => {
  let status = 200;
  await with_page(async (page) => {
    await says('the account', card(page), /bank[^]*Bound/);
    status = 404;
    await says('what is wrong', card(page), /This is not available\.[^]*It does not run\./);
    assert.equal(await row_of(page, 'bank').count(), 0);
    status = 503;
    await page.reload();
    await says('the failure', card(page), /This did not work[^]*Try again/);
    // Until the click the page gets nothing else, though it asks again by itself: that would take the button away.
    await page.exposeFunction('gate_is_back', () => { status = 200; });
    await page.evaluate(() => addEventListener('click', window.gate_is_back, { capture: true }));
    await card(page).getByRole('button', { name: 'Try again' }).click();
    await says('the account again', card(page), /bank[^]*Bound/);
  }, {
    answer: (route) => route.fulfill(status === 200
      ? json(200, { accounts: [account({ bound: 1, sessions: [session()] })] })
      : json(status, { title: 'x', status, detail: 'it does not run.', code: status === 404 ? 'not_found' : 'overloaded' })),
  });
});

test('of very many accounts the first are shown, and more on demand', () => with_page(async (page) => {
  const rows = page.getByRole('table', { name: 'SMPP accounts' }).locator('tbody tr');
  await says('how many there are', card(page), /100 of 250 are shown\./);
  assert.equal(await rows.count(), 100);
  await card(page).getByRole('button', { name: /show more/i }).click();
  await wait('more rows', async () => await rows.count() === 200);
}, { answer: (route) => route.fulfill(json(200, { accounts: Array.from({ length: 250 }, (_, n) => account({ name: `account${n}` })) })) }));

test('long names and refusals fit a narrow screen', () => with_page(async (page) => {
  for (const where of ['/programs', '/programs/smpp/averylongname15']) {
    await page.goto(new URL(where, page.url()).href);
    await says('the refusal', page.locator('main'), /ESME_ROPTPARNOTALLWD/);
    for (const width of [320, 360, 640, 768]) {
      await page.setViewportSize({ width, height: 2000 });
      await check_width(page, `${where} at ${width} px`);
    }
    assert.deepEqual(await axe_violations(page), [], where);
  }
}, {
  answer: (route) => route.fulfill(json(200, { accounts: [account({
    name: 'averylongname15', bound: 1000, sessions_max: 1000, waiting: 1_000_000,
    sessions: [session({ address: '2001:db8:1234:5678:9abc:def0:1234:5678', in_flight: 1000, last_refusal: 'ESME_ROPTPARNOTALLWD', last_refusal_at: '2026-11-27T10:05:00Z' })],
  })] })),
}));
