/** The rack in one sentence: is it sending, and if not, why and what to do. Of `GET /v1/status`. */
import {duration} from './format.js';
import {modemSign} from './modem_sign.js';
import {can} from './store.js';
import {words} from './words/index.js';

/** What the service says in the middle of a sentence, at the beginning of one. */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const bare = (text) => text.replace(/[.\s]+$/, '');

// Segments that a group still sends: its lowest level has all. Those of a paused batch are not among them.
const aheadOf = (group) => group.levels[0]?.ahead ?? 0;

/** In how long the last of the waiting messages leaves, in seconds; null if nothing says so. */
function lastLeavesIn(status) {
    const busy = status.groups.filter((group) => aheadOf(group) > 0);
    return busy.length > 0 && busy.every((group) => group.rate > 0) ? Math.max(...busy.map((group) => aheadOf(group) / group.rate)) : null;
}

/** Why no modem sends: how many of them are in which state, the most frequent first, and what to do about that one. */
function whyNone(modems) {
    const counts = new Map();
    for (const modem of modems) {
        const {sign} = modemSign(modem);
        counts.set(sign, (counts.get(sign) ?? 0) + 1);
    }
    const sorted = [...counts].sort((a, b) => b[1] - a[1]);
    const {none, advice, signs} = words.modem;
    const text = sorted.length === 1 ? none.all(modems.length, signs[sorted[0][0]]) : none.of(modems.length, sorted.map(([sign, n]) => none.some(n, signs[sign])).join(', '));
    return {text: words.now.stopped(text), advice: advice[sorted[0][0]] ?? null};
}

const stopping = (one) => one.stops === 'all' || one.stops === 'sending';

/** {kind, text, since, advice, waiting}. `kind` is as in Badge; `modems` are those of `GET /v1/modems`, or undefined. */
export function headline(status, modems) {
    const w = words.now;
    const waiting = status.messages.queued + status.messages.sending;
    const stop = status.conditions.find((one) => one.severity === 'critical' && stopping(one)) ?? status.conditions.find(stopping);
    if (stop?.condition === 'no_modem_can_send' && modems?.length > 0) return {kind: 'bad', since: stop.since, waiting, ...whyNone(modems)};
    if (stop?.condition === 'rack_paused') return {kind: 'bad', text: w.stopped(w.isPaused), since: stop.since, advice: can('admin') ? w.pausedAdvice : w.pausedAsk, waiting};
    if (stop) return {kind: 'bad', text: w.stopped(bare(stop.text)), since: stop.since, advice: stop.advice, waiting};
    if (!status.ready) {
        const first = status.conditions[0];
        return {kind: 'bad', text: w.stopped(bare(first?.text ?? (status.groups.length === 0 ? w.noModems : w.notReady))), since: first?.since ?? null, advice: first?.advice ?? null, waiting};
    }
    const held = status.pauses.filter(({scope}) => scope === 'batch').map(({name}) => name);
    const holds = held.length > 0 ? ` ${w.held(held)}` : '';
    const onlyHeld = holds && waiting > 0 && status.messages.sending === 0 && !status.groups.some(aheadOf);
    const last = lastLeavesIn(status);
    const queue = onlyHeld ? w.heldWait(waiting, held) : w.queue(waiting, last === null ? null : duration(Math.max(1, last))) + holds;
    const problems = status.conditions.length;
    if (problems > 0) return {kind: 'warn', text: w.troubled(waiting === 0 || onlyHeld, problems) + queue, since: null, advice: null, waiting};
    if (onlyHeld) return {kind: 'warn', text: w.nothing + queue, since: null, advice: w.heldAdvice, waiting};
    if (waiting === 0) {
        const able = status.groups.reduce((sum, group) => sum + group.able, 0);
        const lines = status.groups.reduce((sum, group) => sum + group.lines, 0);
        return {kind: 'ok', text: (lines > 0 ? w.idle(able, lines) : w.idleUnknown) + holds, since: null, advice: can('admin') && Object.values(status.messages).every((n) => n === 0) ? w.first : null, waiting};
    }
    return {kind: 'busy', text: w.sending + queue, since: null, advice: null, waiting};
}
