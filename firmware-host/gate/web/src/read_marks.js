/**
 * Up to which message a login has read each conversation, in this browser. A login is the name of its
 * token; another login of the same browser has marks of its own.
 */
import {computed, signal} from './html.js';
import {session} from './store.js';

const KEPT_MAX = 500; // numbers; beyond, the marks set longest ago are forgotten for a common one
const changed = signal(0);

const keyOf = (name) => `smsrack.read.${name}`;

function load(name) {
    try {
        const kept = JSON.parse(localStorage.getItem(keyOf(name)));
        return {all: kept?.all ?? '0', numbers: kept?.numbers ?? {}};
    } catch {
        return {all: '0', numbers: {}}; // no storage, or not ours: all is unread
    }
}

const marks = computed(() => {
    changed.value;
    return load(session.value?.name ?? '');
});

function save(next) {
    try {
        localStorage.setItem(keyOf(session.value?.name ?? ''), JSON.stringify(next));
    } catch {
        // A browser without storage forgets with the tab.
    }
    changed.value++;
}

addEventListener('storage', (event) => event.key?.startsWith('smsrack.read.') && changed.value++);

const later = (a, b) => BigInt(a) > BigInt(b);

/** Has something come in this conversation that this login did not open? */
export const isUnread = ({number, last}) => last.direction === 'received' &&
    later(last.id, marks.value.all) && later(last.id, marks.value.numbers[number] ?? '0');

/** The conversation is open up to this message. */
export function markRead(number, id) {
    const now = marks.peek();
    if (!later(id, now.all) || !later(id, now.numbers[number] ?? '0')) return;
    const {[number]: _, ...others} = now.numbers;
    const entries = [...Object.entries(others), [number, id]].slice(-KEPT_MAX);
    save({all: now.all, numbers: Object.fromEntries(entries)});
}

/** All conversations are read up to this message. */
export const markAllRead = (id) => save({all: id, numbers: {}});
