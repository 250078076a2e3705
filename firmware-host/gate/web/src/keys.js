/** The keyboard: everything can be done with it. Letters are ignored while one types. */
import {signal} from './html.js';
import {navigate} from './router.js';
import {keysOn} from './store.js';

const CHORD_MS = 1500;
const screens = {n: '/', d: '/modems', m: '/messages', i: '/inbox'};

/** Is the list of keys open? */
export const helpOpen = signal(false);

let chordAt = -CHORD_MS;

const typing = (element) => element?.closest?.('input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable]');

/** Moves the focus to the next or previous row of the screen. */
function moveRow(by) {
    const rows = [...document.querySelectorAll('main [data-row]')];
    if (rows.length === 0) return;
    const now = rows.findIndex((row) => row.contains(document.activeElement));
    const next = rows[now < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, now + by))];
    const target = next.matches('a[href], button') ? next : next.querySelector('.row-link') ?? next.querySelector('a[href], button, input');
    target?.focus();
    next.scrollIntoView({block: 'nearest'});
}

/** To the search of the screen, or to that of the messages. */
function search() {
    const here = document.querySelector('[data-search]');
    if (here) {
        here.focus();
        here.select?.();
        return;
    }
    navigate('/messages');
    let tries = 20;
    const timer = setInterval(() => {
        const field = document.querySelector('[data-search]');
        field?.focus();
        if (field || --tries === 0) clearInterval(timer);
    }, 25);
}

/** Listens to the keys. Gives a function that ends it. */
export function startKeys() {
    const onKey = (event) => {
        if (!keysOn.value || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
        if (document.querySelector('dialog[open]')) return;
        const chord = event.timeStamp - chordAt < CHORD_MS;
        chordAt = -CHORD_MS;
        if (chord && screens[event.key]) navigate(screens[event.key]);
        else if (event.key === 'g') chordAt = event.timeStamp;
        else if (event.key === 'j') moveRow(1);
        else if (event.key === 'k') moveRow(-1);
        else if (event.key === '/') search();
        else if (event.key === '?') helpOpen.value = true;
        else return;
        event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
}

