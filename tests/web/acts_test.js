// What an operator must reach with at most three clicks, or by keys alone: it is done, and the page says so.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { check_clean, login, open } from './support/browser.js';
import { Esme } from './support/esme.js';
import { Receiver } from './support/receiver.js';
import { all, shared_rack, test, the_browser } from './support/suite.js';
import { wait } from './support/wait.js';

const receiver = await Receiver.start('crm', ['message.delivered']);
const esme = await Esme.make('bank');
const plan = { modems: 3, config: esme.config + receiver.config };
const CLICKS_MAX = 3;

/** Counts clicks, or does the same with the keyboard alone. Typing is not counted. */
class Mouse {
  constructor(page) {
    this.page = page;
    this.clicks = 0;
  }
  async press(target) {
    await target.waitFor();
    ++this.clicks;
    await target.click();
  }
  /** A row of a list. */
  async row(target) {
    await this.press(target);
  }
}
class Keys extends Mouse {
  /** Goes there with Tab, as a person without a mouse; the place must be visible when it has the focus. */
  async press(target) {
    await target.waitFor();
    ++this.clicks;
    for (let n = 0; n < 150; ++n) {
      if (await target.evaluate((one) => one === document.activeElement || one.contains(document.activeElement))) {
        const seen = await target.evaluate((one) => one.matches(':focus-visible') || Boolean(one.querySelector(':focus-visible')));
        assert.ok(seen, 'the focus is not visible');
        await this.page.keyboard.press((await target.evaluate((one) => one.matches('input[type=checkbox]'))) ? 'Space' : 'Enter');
        return;
      }
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab never comes to ${target}`);
  }
  /** `j` until the focus is in it, then Enter. */
  async row(target) {
    await target.waitFor();
    ++this.clicks;
    for (let n = 0; n < 60; ++n) {
      await this.page.keyboard.press('j');
      if (await target.evaluate((one) => one === document.activeElement)) return this.page.keyboard.press('Enter');
    }
    throw new Error('j never comes to the row');
  }
}

const button = (page, name) => page.locator('main').getByRole('button', { name, exact: typeof name === 'string' }).first();
const in_dialog = (page, name) => page.getByRole('dialog').getByRole('button', { name });
const nav = (page, name) => page.getByRole('navigation').getByRole('link', { name });

let serial = 0;
const number = () => `+3360001${String(1000 + ++serial)}`;

async function paused(rack, use) {
  await rack.post('/v1/pause');
  try {
    return await use();
  } finally {
    await rack.post('/v1/resume');
  }
}
async function failed(rack) {
  for (let modem = 0; modem < plan.modems; ++modem) await rack.simulate({ do: 'cms_error', modem, code: 1, count: 1 });
  const id = await rack.send(number(), 'not assigned');
  await rack.reaches(id, 'failed');
  await rack.simulate({ do: 'calm' });
  return id;
}
const state_of = async (rack, id) => (await rack.get(`/v1/messages/${id}`)).state;
const is_paused = async (rack) => (await rack.get('/v1/status')).pauses.some(({ scope }) => scope === 'rack');

// Each begins on the first screen. `before` is what happened before someone opened it.
const acts = [
  {
    name: 'pause and resume the rack',
    async run({ page, hand, rack }) {
      await hand.press(button(page, /pause the rack/i));
      await hand.press(in_dialog(page, /pause/i));
      await wait('the pause', () => is_paused(rack));
      hand.clicks = 0;
      await hand.press(button(page, /^resume/i));
      await wait('the end of the pause', async () => !(await is_paused(rack)));
    },
  },
  {
    name: 'drain and resume a modem',
    async run({ page, hand, rack }) {
      const manual = async () => (await rack.get('/v1/modems/m1')).manual;
      await hand.press(page.locator('main a[href$="/modems/m1"]').first());
      await hand.press(button(page, /^drain/i));
      await wait('the modem to be drained', async () => (await manual()) === 'blocked');
      await hand.press(button(page, /^resume/i));
      await wait('the modem to be resumed', async () => (await manual()) === 'open');
    },
  },
  {
    name: 'read the story of a message',
    async run({ page, hand, rack }) {
      const id = await rack.send(number(), 'whose story');
      await rack.reaches(id, 'delivered');
      await hand.press(nav(page, 'Messages'));
      await hand.row(page.locator(`main a[href$="/messages/${id}"]`));
      await page.getByText(/status report says that it was delivered/i).waitFor();
    },
  },
  {
    name: 'send a failed message again',
    async run({ page, hand, rack }) {
      const id = await failed(rack);
      await hand.press(nav(page, 'Messages'));
      await hand.row(page.locator(`main a[href$="/messages/${id}"]`));
      await hand.press(button(page, /send again/i));
      const again = await wait('the new message', async () => (await rack.get(`/v1/messages?ref=again-${id}-1`)).messages[0]);
      await wait('the page to show it', () => page.url().endsWith(`/messages/${again.id}`));
    },
  },
  {
    name: 'cancel a waiting message',
    async run({ page, hand, rack }) {
      await paused(rack, async () => {
        const id = await rack.send(number(), 'to be cancelled');
        await hand.press(nav(page, 'Messages'));
        await hand.row(page.locator(`main a[href$="/messages/${id}"]`));
        await hand.press(button(page, 'Cancel'));
        await in_dialog(page, /cancel/i).click(); // the question is no step on the way
        await wait('it to be cancelled', async () => (await state_of(rack, id)) === 'cancelled');
      });
    },
  },
  {
    name: 'cancel a batch',
    async run({ page, hand, rack }) {
      const batch = `batch-${number().slice(1)}`;
      await paused(rack, async () => {
        await rack.send_all([1, 2, 3].map(() => ({ to: number(), text: 'of a batch', batch })));
        await hand.press(nav(page, 'Batches'));
        await hand.press(page.getByRole('button', { name: `Cancel ${batch}` }));
        assert.match(await page.getByRole('dialog').innerText(), /Cancel 3 waiting messages\?/);
        await hand.press(in_dialog(page, /cancel the batch/i));
        await wait('it to be cancelled', async () => (await rack.get(`/v1/batches/${batch}`)).messages.cancelled === 3);
      });
    },
  },
  {
    name: 'answer a message',
    async run({ page, hand, rack }) {
      const from = number();
      await rack.receive(from, 'When do you open?');
      await wait('it to be in the inbox', async () => (await rack.get('/v1/conversations')).conversations.some((one) => one.number === from));
      await hand.press(nav(page, 'Inbox'));
      await hand.row(page.locator(`main a[href$="/inbox/${encodeURIComponent(from)}"]`));
      const box = page.getByLabel('Answer', { exact: true });
      await box.fill('At nine. €');
      await page.getByText(/1 segment · GSM 7-bit · 11 of 160/).waitFor();
      await hand.press(button(page, 'Send'));
      await wait('the answer', async () => (await rack.get(`/v1/messages?to=${encodeURIComponent(from)}`)).messages.length === 1);
      await page.locator('.bubble.is-sent').getByText('At nine. €').waitFor();
    },
  },
  {
    name: 'send a test',
    async run({ page, hand, rack }) {
      const to = number();
      await hand.press(nav(page, 'Send'));
      await page.getByLabel('To', { exact: false }).first().fill(to);
      await page.getByLabel('Text', { exact: true }).fill('a test');
      await page.getByText(/1 segment/).first().waitFor();
      await hand.press(button(page, 'Send'));
      await wait('the test', async () => (await rack.get(`/v1/messages?to=${encodeURIComponent(to)}`)).messages.length === 1);
      await page.getByText(/accepted/i).first().waitFor();
    },
  },
  {
    name: 'replay the dead events of a webhook',
    async before(rack) {
      receiver.status = 500;
      for (let n = 0; n < 3; ++n) await rack.reaches(await rack.send(number(), 'no receiver takes this'), 'delivered');
      await wait('the events to wait', async () => (await receiver.hook(rack)).waiting >= 3); // or a late one of another act
      receiver.dead = await receiver.kill_waiting(rack);
      receiver.status = 200;
      receiver.ids = [];
    },
    async run({ page, hand, rack }) {
      await hand.press(nav(page, 'Programs'));
      await hand.press(button(page, /replay the dead/i));
      assert.match(await page.getByRole('dialog').innerText(), new RegExp(`Send ${receiver.dead} dead events of crm again`));
      await hand.press(in_dialog(page, /replay/i));
      await wait('the receiver to have them', () => new Set(receiver.ids).size === receiver.dead);
      await wait('none to be dead', async () => (await receiver.hook(rack)).dead === 0);
      await page.getByText(`${receiver.dead} events will be sent again.`).first().waitFor();
    },
  },
  {
    name: 'end the sessions of an SMPP account',
    before: () => esme.bind(),
    async run({ page, hand }) {
      await hand.press(nav(page, 'Programs'));
      await hand.press(button(page, 'Unbind'));
      assert.match(await page.getByRole('dialog').innerText(), /End 1 session of bank\?/);
      await hand.press(in_dialog(page, 'Unbind'));
      await page.getByText('The sessions of bank end in a few seconds.').first().waitFor();
      await wait('the session to end', () => !esme.is_bound);
      await page.getByRole('table', { name: 'SMPP accounts' }).getByText('Not bound').waitFor();
    },
  },
];

for (const act of acts) {
  for (const Hand of all ? [Mouse, Keys] : [acts.indexOf(act) % 2 ? Keys : Mouse]) {
    test(`${act.name}: by ${Hand === Mouse ? 'mouse' : 'keys alone'}`, async () => {
      const rack = await shared_rack('acts', plan);
      await act.before?.(rack);
      const context = await login(await the_browser(), rack, 'admin');
      try {
        const page = await open(context, rack, '/');
        const hand = new Hand(page);
        await act.run({ page, hand, rack });
        assert.ok(hand.clicks <= CLICKS_MAX, `${hand.clicks} steps`);
        await check_clean(page, act.name);
      } finally {
        await context.close();
      }
    });
  }
}

test('a double click is one action', async () => {
  const rack = await shared_rack('acts', plan);
  const context = await login(await the_browser(), rack, 'admin');
  try {
    const id = await failed(rack);
    const page = await open(context, rack, `/messages/${id}`);
    await button(page, /send again/i).dblclick();
    await wait('the page to show the new message', () => !page.url().endsWith(`/messages/${id}`));
    assert.equal((await rack.get(`/v1/messages?ref=again-${id}-2`)).messages.length, 0);
  } finally {
    await context.close();
  }
});

test('a role sees no button for what only an administrator may do', async () => {
  const rack = await shared_rack('acts', plan);
  const id = await failed(rack);
  await esme.bind();
  const context = await login(await the_browser(), rack, 'read');
  try {
    for (const [where, there] of [['/', /modem/i], [`/messages/${id}`, /failed/i], ['/modems/m1', /m1/], ['/batches', /batch/i],
      ['/programs', /bank\s+Bound/], ['/programs/smpp/bank', /Transceiver/]]) {
      const page = await open(context, rack, where);
      await wait(`${where} to be there`, async () => there.test(await page.locator('main').innerText()));
      const names = (await page.locator('main').getByRole('button').allInnerTexts()).join('|');
      assert.doesNotMatch(names, /pause|resume|drain|reset|revoke|block|unbind|test/i, where);
      await page.close();
    }
  } finally {
    await esme.unbind();
    await context.close();
  }
});

test('selected messages are exported as a file, which no spreadsheet takes for formulas', async () => {
  const rack = await shared_rack('acts', plan);
  const context = await login(await the_browser(), rack, 'read');
  try {
    const to = number();
    await rack.reaches(await rack.send(to, '=HYPERLINK("http://evil.example")'), 'delivered');
    const page = await open(context, rack, `/messages?q=${to.slice(1)}`);
    await page.locator('main tbody input[type=checkbox]').first().check();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export CSV' }).click()]);
    const text = fs.readFileSync(await file.path(), 'utf8');
    assert.equal(text.split('\r\n').length, 3);
    assert.match(text, new RegExp(`,\\${to},delivered,`));
    assert.match(text, /"'=HYPERLINK\(""http:\/\/evil\.example""\)"/);
    await check_clean(page, 'export');
  } finally {
    await context.close();
  }
});

test('a file: each line is checked before anything is sent, then each good one is sent once', async () => {
  const rack = await shared_rack('acts', plan);
  const context = await login(await the_browser(), rack, 'admin');
  try {
    const page = await open(context, rack, '/send?from=file');
    const [good, other] = [number(), number()];
    const lines = ['to;text;name', `${good};"Dear Ann; good morning";Ann`, 'nonsense;Hello;Bob', `${other};;Carl`, `${good};"Dear Ann; good morning";Ann`];
    await page.locator('input[type=file]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) });
    await page.getByLabel(/text for lines without one/i).fill('Dear {name}, hello');
    await page.getByLabel(/^batch/i).fill('people');
    await page.getByRole('button', { name: /check the lines/i }).click();
    await page.getByRole('button', { name: 'Send 2 messages' }).waitFor();
    assert.equal((await rack.get('/v1/messages?batch=people').catch(() => ({ messages: [] }))).messages.length, 0, 'something was sent before the question');
    const table = page.getByRole('table', { name: /will not be sent/i });
    assert.match(await table.innerText(), /3[^]*nonsense[^]*5[^]*same number and text as line 2/i);
    await page.getByRole('button', { name: 'Send 2 messages' }).click();
    await in_dialog(page, /send them/i).click();
    await page.getByText(/all lines are accepted/i).waitFor();
    const sent = (await rack.get('/v1/messages?batch=people&text=true')).messages.map(({ to, text }) => `${to} ${text}`).sort();
    assert.deepEqual(sent, [`${good} Dear Ann; good morning`, `${other} Dear Carl, hello`].sort());
    await check_clean(page, 'a file');
  } finally {
    await context.close();
  }
});
