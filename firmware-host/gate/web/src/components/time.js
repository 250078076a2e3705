/** Times and durations. */
import {ago, exact, moment} from '../format.js';
import {html} from '../html.js';
import {clock} from '../store.js';
import {words} from '../words/index.js';

/** A moment in the browser's zone; the exact UTC on hover. */
export function Time({at, seconds}) {
    if (!at) return html`<span class="muted">${words.none}</span>`;
    return html`<time datetime=${new Date(at).toISOString()} title=${exact(at)}>${moment(at, {seconds})}</time>`;
}

/** "3 min ago"; the exact UTC on hover. */
export function Ago({at}) {
    if (!at) return html`<span class="muted">${words.none}</span>`;
    return html`<time datetime=${new Date(at).toISOString()} title=${exact(at)}>${ago(at, clock.value)}</time>`;
}
