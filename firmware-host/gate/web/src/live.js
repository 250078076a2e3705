/**
 * The events of the rack, one connection for all tabs of a browser. One tab, the leader, reads the
 * stream and hands each batch to the others; when it closes, another one resumes behind the last
 * event, so none is missed. It is `fetch` and not `EventSource`, because a new leader must say
 * `Last-Event-ID`, and because only `fetch` shows a 401.
 */
import {base} from './base.js';
import {becomeLeader, channel} from './leader.js';
import {signal} from './html.js';
import {session} from './store.js';

const BUSY_PER_S = 20;     // above this, batches are handed out at most 4 times a second
const BUSY_GAP_MS = 250;
const AT_ONCE = 100;       // events in one task, so that no task lasts longer than 50 ms
const BUFFERED_MAX = 4000; // beyond, the lists are read again instead
const PAUSES_MS = [250, 500, 1000, 2000, 4000];
const QUIET_MS = 40_000;   // the rack sends a comment every 15 s; without two of them the stream is dead

/** Null while the stream is open; since when it is not, in ms. */
export const streamLostSince = signal(Date.now());

const watchers = new Set(); // {types, events, resync}
let last = null;            // id of the newest event of all that this tab knows
let leads = false;
let buffer = [];
let handing = false;
let handedAt = 0;
let recent = [];            // arrival times within the last second

/**
 * Calls `events` with batches of the events whose type begins with one of `types`, and `resync`
 * where events may have been missed: what is shown must be read again. Gives a function that ends it.
 */
export function watch(types, events, resync = () => {}) {
    const watcher = {types, events, resync};
    watchers.add(watcher);
    return () => watchers.delete(watcher);
}

/** All that is shown is read again: something may have been missed. */
export function resyncAll() {
    buffer = [];
    for (const watcher of [...watchers]) watcher.resync();
}

function take(all, newest) {
    // While two tabs lead for a moment, each event comes twice.
    const events = last === null ? all : all.filter((event) => BigInt(event.event_id) > BigInt(last));
    last = newest;
    const now = performance.now();
    recent = recent.filter((at) => now - at < 1000);
    for (let n = 0; n < events.length && recent.length < 2 * BUSY_PER_S; n++) recent.push(now);
    buffer.push(...events);
    if (buffer.length > BUFFERED_MAX) {
        resyncAll();
        return;
    }
    if (handing || buffer.length === 0) return;
    handing = true;
    const pause = recent.length > BUSY_PER_S ? Math.max(0, handedAt + BUSY_GAP_MS - now) : 0;
    setTimeout(handOut, pause);
}

function handOut() {
    const now = buffer.splice(0, AT_ONCE);
    handedAt = performance.now();
    for (const watcher of [...watchers]) {
        const wanted = now.filter((event) => watcher.types.some((type) => event.type.startsWith(type)));
        if (wanted.length > 0) watcher.events(wanted);
    }
    if (buffer.length > 0) setTimeout(handOut, 0);
    else handing = false;
}

/** The leader's state, as told to all tabs. */
function tell(message) {
    hear(message);
    channel.post(message);
}

function hear(message) {
    if (message.kind === 'events') {
        streamLostSince.value = null;
        take(message.events, message.last);
    } else if (message.kind === 'open') {
        const missed = streamLostSince.value !== null || message.again;
        streamLostSince.value = null;
        last = message.last ?? last;
        if (missed) resyncAll();
    } else if (message.kind === 'hello') {
        // A new tab asks how things are.
        const since = streamLostSince.value;
        if (leads) channel.post(since === null ? {kind: 'open', last} : {kind: 'lost', since});
    } else if (message.kind === 'lost') {
        streamLostSince.value ??= message.since;
    } else if (message.kind === 'logout') {
        session.value = null;
    }
}

/** Splits the octets of a stream into events; `onEvent({type, id, ...data})`. */
export function eventParser(onEvent) {
    let rest = '';
    return (text) => {
        rest += text;
        let end;
        while ((end = rest.indexOf('\n\n')) >= 0) {
            const fields = {};
            for (const line of rest.slice(0, end).split('\n')) {
                const colon = line.indexOf(':');
                if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
            }
            rest = rest.slice(end + 2);
            if (fields.data) onEvent({...JSON.parse(fields.data), event_id: fields.id});
        }
    };
}

/** Reads the stream until it ends. Gives the status that refused it, or 0. */
async function readStream(abort) {
    const quiet = new AbortController();
    const ended = () => quiet.abort();
    abort.addEventListener('abort', ended);
    let timer = setTimeout(ended, QUIET_MS);
    try {
        const answer = await fetch(new URL('v1/events', base), {
            headers: {Accept: 'text/event-stream', ...(last && {'Last-Event-ID': last})},
            credentials: 'same-origin',
            cache: 'no-store',
            signal: quiet.signal,
        });
        if (!answer.ok) return answer.status;
        const place = answer.headers.get('Smsrack-Place');
        const newest = answer.headers.get('Smsrack-Newest');
        const other = last !== null && newest !== null && BigInt(newest) < BigInt(last);
        if (other || last === null) last = place ?? last;
        tell({kind: 'open', last, again: other});
        let events = [];
        const parse = eventParser((event) => {
            // The gate resumed the stream at another database: a new stream says where that is.
            if (BigInt(event.event_id) <= BigInt(events.at(-1)?.event_id ?? last ?? 0)) throw event;
            events.push(event);
        });
        const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
        for (;;) {
            const {done, value} = await reader.read();
            if (done) return 0;
            clearTimeout(timer);
            timer = setTimeout(ended, QUIET_MS);
            parse(value);
            if (events.length === 0) continue;
            tell({kind: 'events', events, last: events.at(-1).event_id ?? last});
            events = [];
        }
    } catch {
        return 0;
    } finally {
        clearTimeout(timer);
        abort.removeEventListener('abort', ended);
        quiet.abort();
    }
}

/** The leader's life: reads, and after a loss reads again, until `abort`. */
async function lead(abort) {
    for (let lost = 0; !abort.aborted; lost++) {
        const before = Date.now();
        const refused = await readStream(abort);
        if (abort.aborted) return;
        if (refused === 401) {
            tell({kind: 'logout'});
            return;
        }
        if (Date.now() - before > 5000) lost = 0;
        tell({kind: 'lost', since: Date.now()});
        await new Promise((resolve) => setTimeout(resolve, PAUSES_MS[Math.min(lost, PAUSES_MS.length - 1)]));
    }
}

/** Joins the tabs that share the stream. Gives a function that leaves them. */
export function startLive() {
    const abort = new AbortController();
    channel.listen(hear, abort.signal);
    channel.post({kind: 'hello'});
    (async () => {
        let term;
        while (!abort.signal.aborted && (term = await becomeLeader(abort.signal))) {
            leads = true;
            await lead(term);
            leads = false;
        }
    })();
    return () => abort.abort();
}
