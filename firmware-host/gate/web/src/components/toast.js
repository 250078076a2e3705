/** Short notes of what happened, also for screen readers: politely, one sentence in 5 s. */
import {html, signal} from '../html.js';
import {words} from '../words/index.js';
import {Shape} from './badge.js';

const SHOWN_MS = 6000;
const SAID_GAP_MS = 5000;
const AT_ONCE = 3;

const notes = signal([]);
const said = signal('');
let serial = 0;
let waiting = null;
let timer = null;

/** Shows a note and says it. `kind` is ok, warn or bad. A bad one stays until it is closed. */
export function toast(text, kind = 'ok') {
    const note = {key: ++serial, text, kind};
    notes.value = [...notes.value.slice(1 - AT_ONCE), note];
    if (kind !== 'bad') setTimeout(() => close(note.key), SHOWN_MS);
    announce(text);
}

const close = (key) => {
    notes.value = notes.value.filter((note) => note.key !== key);
};

/** Says a sentence to a screen reader. Of several within 5 s it says the newest. */
export function announce(text) {
    waiting = text;
    timer ??= setTimeout(function say() {
        said.value = waiting;
        waiting = null;
        timer = setTimeout(() => {
            timer = null;
            if (waiting !== null) announce(waiting);
        }, SAID_GAP_MS);
    }, 50);
}

/** Where notes are shown. Once in the frame. */
export const ToastHost = () => html`
    <div class="unseen" role="status" aria-live="polite">${said.value}</div>
    <aside class="toasts" aria-label=${words.notes}>${notes.value.map((note) => html`
        <div key=${note.key} class=${`toast is-${note.kind}`}><${Shape} kind=${note.kind} /><span>${note.text}</span>
            <button type="button" class="plain icon" aria-label=${words.close} onClick=${() => close(note.key)}>✕</button></div>`)}</aside>`;
