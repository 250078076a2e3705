/** How fast a batch goes, from its counts of the last minute, and when it will probably end. */

const WINDOW_MS = 60_000;
const LEAST_MS = 3000;
const KEPT_MAX = 200;

const waiting = ['scheduled', 'queued', 'sending', 'uncertain', 'elsewhere'];
const seen = new Map(); // batch -> [{at, over}], oldest first

const sum = (messages, states) => states.reduce((all, state) => all + (messages[state] ?? 0), 0);

/** {left, over, total}: messages that still wait, that left or ended, and all. */
export function sizesOf({messages, total}) {
    const left = sum(messages, waiting);
    return {left, over: Math.max(0, total - left), total};
}

/**
 * {perS, endsInS} as its counts changed lately; both null while that is unknown, or nothing is left.
 * Call it with each new answer of the API.
 */
export function rateOf(batch, now = Date.now()) {
    const {left, over} = sizesOf(batch);
    const samples = (seen.get(batch.batch) ?? []).filter(({at}) => now - at < WINDOW_MS);
    const last = samples.at(-1);
    if (!last || now - last.at > 900) samples.push({at: now, over});
    seen.delete(batch.batch);
    seen.set(batch.batch, samples);
    if (seen.size > KEPT_MAX) seen.delete(seen.keys().next().value);
    const spanMs = now - samples[0].at;
    const gone = over - samples[0].over;
    if (left === 0 || spanMs < LEAST_MS || gone <= 0) return {perS: null, endsInS: null};
    const perS = (gone * 1000) / spanMs;
    return {perS, endsInS: left / perS};
}
