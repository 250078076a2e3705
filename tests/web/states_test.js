// What is wrong with a rack is said on the first screen within 5 seconds: the cause, since when, and what to do.
import assert from 'node:assert/strict';
import { accessible_text, axe_violations, check_clean, login } from './support/browser.js';
import { all, shared_rack, test, the_browser } from './support/suite.js';
import { in_state, states } from './support/states.js';
import { wait } from './support/wait.js';

const WITHIN_S = 5;

/** Opens the first screen in a fresh browser profile, as someone who comes to look. */
async function check_said(rack, state) {
  for (const scheme of all ? ['light', 'dark'] : ['light']) {
    const context = await login(await the_browser(), rack, 'read', { colorScheme: scheme });
    try {
      const page = await context.newPage();
      await page.goto(rack.address);
      let text = '';
      await wait(`the cause (${state.cause}) of “${state.name}” and the advice (${state.advice})`, async () => {
        text = await accessible_text(page);
        return [state.cause, state.advice].every((words) => words.test(text));
      }, WITHIN_S).catch((error) => { throw new Error(`${error.message}\n${text.slice(0, 3000)}`); });
      await check_clean(page, state.name);
      if (all) assert.deepEqual(await axe_violations(page), [], `axe, ${state.name}, ${scheme}`);
    } finally {
      await context.close();
    }
  }
}

for (const state of states) {
  if (state.slow) {
    if (all) {
      test(state.name, async (t) => {
        if (!(await in_state(state, (rack) => check_said(rack, state)))) t.skip('this account may not mount a small disk');
      });
    }
    continue;
  }
  test(state.name, async () => {
    const rack = await shared_rack('plain', { modems: 3 });
    await state.make(rack);
    try {
      if (state.code) await rack.attention(state.code);
      await check_said(rack, state);
    } finally {
      await state.mend(rack);
      await wait('the rack to be well again', async () => (await rack.get('/v1/attention')).total === 0, 60);
    }
  });
}

test('a state that begins while the page is open is said within 5 s, and its end, too', async () => {
  const rack = await shared_rack('plain', { modems: 3 });
  const context = await login(await the_browser(), rack, 'admin');
  try {
    const page = await context.newPage();
    await page.goto(rack.address);
    await page.locator('main h1').first().waitFor();
    await rack.post('/v1/pause');
    await wait('the pause to be said', async () => /paused/i.test(await page.locator('main').innerText()), WITHIN_S);
    assert.match(await page.title(), /not sending/i); // also seen while another tab is in front
    await rack.post('/v1/resume');
    await wait('the end of the pause to be said', async () => !/paused/i.test(await page.locator('main').innerText()), WITHIN_S);
  } finally {
    await rack.post('/v1/resume');
    await context.close();
  }
});
