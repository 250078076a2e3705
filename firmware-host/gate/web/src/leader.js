/**
 * Which tab reads the stream. Web Locks choose where the browser has them. Over plain HTTP from
 * another machine it has none; then the tabs agree by messages: the leader says each second that it
 * is there, and a visible tab that hears nothing for 3 s takes its place.
 */
import {base} from './base.js';

const name = `smsrack ${base.pathname}`;
const BEAT_MS = 1000;
const SILENT_MS = 3000;
const ANSWER_MS = 800; // a leader answers a new tab within that
const port = 'BroadcastChannel' in globalThis ? new BroadcastChannel(name) : null;
const me = Math.random();

/** Messages between the tabs. */
export const channel = {
    post: (message) => port?.postMessage(message),
    listen(take, abort) {
        const hear = ({data}) => data.kind !== 'beat' && take(data);
        port?.addEventListener('message', hear);
        abort.addEventListener('abort', () => port?.removeEventListener('message', hear));
    },
};

/** Waits until this tab leads. Gives a signal that aborts when that ends, or null if `abort` came first. */
export function becomeLeader(abort) {
    return navigator.locks ? byLock(abort) : port ? byBeat(abort) : Promise.resolve(abort);
}

function byLock(abort) {
    return new Promise((resolve) => {
        const held = () => new Promise((release) => {
            abort.addEventListener('abort', release);
            resolve(abort);
        });
        navigator.locks.request(name, {signal: abort}, held).catch(() => resolve(null));
    });
}

function byBeat(abort) {
    const term = new AbortController();
    return new Promise((resolve) => {
        let heardAt = Date.now() - SILENT_MS + ANSWER_MS;
        let leads = false;
        const beat = () => leads && port.postMessage({kind: 'beat', from: me});
        const look = () => {
            if (!leads && !document.hidden && Date.now() - heardAt >= SILENT_MS) {
                leads = true;
                resolve(term.signal);
            }
            beat();
        };
        const end = () => {
            clearInterval(timer);
            port.removeEventListener('message', hear);
            term.abort();
            if (!leads) resolve(null);
        };
        const hear = ({data}) => {
            if (data.kind === 'hello') beat();
            if (data.kind !== 'beat') return;
            heardAt = Date.now();
            // A browser slows the timers of hidden tabs, so a second leader may appear: one gives way.
            if (leads && (document.hidden || data.from > me)) end();
        };
        const timer = setInterval(look, BEAT_MS);
        setTimeout(look, ANSWER_MS);
        port.addEventListener('message', hear);
        abort.addEventListener('abort', end);
    });
}
