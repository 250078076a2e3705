/** The state of a modem as one sign: {kind, sign, word, why}; `sign` names it in `words.modem`. */
import {words} from './words/index.js';

const byState = {
    absent: ['bad', 'absent'],
    opening: ['busy', 'starting'],
    identifying: ['busy', 'starting'],
    sim_wait: ['bad', 'simWait'],
    registering: ['warn', 'registering'],
    cooling: ['warn', 'cooling'],
    failed: ['bad', 'failed'],
    asleep: ['off', 'parked'],
    draining: ['warn', 'draining'],
};

function signOf(modem) {
    if (modem.manual === 'blocked') return modem.drained ? ['off', 'blocked'] : ['warn', 'draining'];
    if (modem.parked) return ['off', 'parked'];
    if (modem.paused?.reason === 'quota') return ['warn', 'quota'];
    if (modem.paused?.reason === 'cooling') return ['warn', 'cooling'];
    if (byState[modem.state]) return byState[modem.state];
    if (modem.link !== 'active') return ['warn', 'silent'];
    return modem.in_flight > 0 ? ['busy', 'sending'] : ['ok', 'ready'];
}

export function modemSign(modem) {
    const [kind, sign] = signOf(modem);
    return {kind, sign, word: words.modem.signs[sign], why: modem.detail ?? modem.reason ?? null};
}

/** The smallest window of the quota that is left, as words, or null if the SIM has none. */
export function quotaLeft(modem) {
    const left = Object.entries(modem.quota_left ?? {}).filter(([, value]) => value !== null);
    if (left.length === 0) return null;
    const [window, value] = left.reduce((least, one) => (one[1] < least[1] ? one : least));
    return words.modem.left(value, window);
}
