/**
 * Answers of `GET` calls, kept while a screen shows them and read again when an event says that they
 * changed: at most four times a second, more slowly if the rack is slow, and not while the tab is hidden.
 */
import {get} from './api.js';
import {signal, useEffect} from './html.js';
import {watch} from './live.js';

const GAP_MS = 250;    // between the beginnings of two reads: an event is on the screen within 300 ms
const SLOWDOWN = 4;    // a read takes at most a quarter of the time
const CACHED_MAX = 40; // answers kept after their screen was left: it is there at once when one returns

let answer;
/** Resolved once any call has been answered or refused. */
export const answered = new Promise((resolve) => {
    answer = resolve;
});

/** True once the first figures are on the screen: what is not needed for them waits for it. */
export const drawn = signal(false);

const kept = new Map(); // path, or its key -> Resource

class Resource {
    constructor(pathOf) {
        this.pathOf = pathOf;
        this.state = signal({data: undefined, error: null, at: 0});
        this.users = 0;
        this.startedAt = -GAP_MS;
        this.gapMs = GAP_MS;
        this.took = 0;
        this.load = this.load.bind(this);
    }

    /** Reads it now; a second wish meanwhile is one more read afterwards. */
    async load() {
        if (this.loading) {
            this.again = true;
            return this.loading;
        }
        this.startedAt = performance.now();
        this.loading = this.read();
        await this.loading;
        this.took = performance.now() - this.startedAt;
        this.loading = null;
        if (this.again && this.users > 0) {
            this.again = false;
            this.soon();
        }
        return undefined;
    }

    async read() {
        try {
            this.state.value = {data: await get(this.pathOf()), error: null, at: Date.now()};
        } catch (error) {
            this.state.value = {...this.state.value, error};
        }
        answer();
    }

    /** Reads it once the gap is over; while the tab is hidden, when it is shown again. */
    soon() {
        if (document.hidden) this.stale = true;
        else this.timer ??= setTimeout(() => {
            this.timer = null;
            if (this.users > 0) this.load();
        }, Math.max(0, this.startedAt + Math.max(this.gapMs, SLOWDOWN * this.took) - performance.now()));
    }

    use({on, every, gapMs}) {
        this.gapMs = gapMs;
        const wanted = this.users++ === 0 || this.state.value.data === undefined;
        const fresh = Date.now() - this.state.value.at < GAP_MS;
        if (wanted && !fresh && !this.loading) this.load();
        const ends = [watch(on, () => this.soon(), () => this.soon())];
        if (every > 0) {
            const timer = setInterval(() => this.soon(), every * 1000);
            ends.push(() => clearInterval(timer));
        }
        return () => {
            for (const end of ends) end();
            this.users--;
        };
    }
}

function resourceOf(key, pathOf) {
    let found = kept.get(key);
    if (!found) {
        found = new Resource(pathOf);
        for (const [old, resource] of kept) {
            if (kept.size < CACHED_MAX) break;
            if (resource.users === 0) kept.delete(old);
        }
        kept.set(key, found);
    }
    return found;
}

document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    for (const resource of kept.values()) {
        if (resource.stale && resource.users > 0) resource.soon();
        resource.stale = false;
    }
});

/** Reads a call before a screen asks for it. */
export const prefetch = (path) => void resourceOf(path, () => path).load();

/** Forgets all answers: after a logout nothing of the last caller is left. */
export const forgetAll = () => kept.clear();

const nothing = {data: undefined, error: null, at: 0, reload: () => {}};

/**
 * The answer of a call: {data, error, at, reload}. `on` are beginnings of event types after which it
 * is read again, at most once in `gapMs`; `every` is in seconds. A path of null reads nothing. A path that changes with time,
 * such as one that begins an hour ago, is a function; then `key` names it.
 */
export function useResource(path, {on = [], every = 0, gapMs = GAP_MS, key = path} = {}) {
    const resource = path === null ? null : resourceOf(key, typeof path === 'function' ? path : () => path);
    useEffect(() => resource?.use({on, every, gapMs}), [path === null ? null : key]);
    return resource ? {...resource.state.value, reload: resource.load} : nothing;
}
