/** Signs of a state. Each has a word, a colour and a shape, so that colour is never the only sign. */
import {html} from '../html.js';
import {words} from '../words/index.js';

const shapes = {
    ok: html`<circle cx="6" cy="6" r="5" />`,
    busy: html`<path d="M6 0.5 11.5 6 6 11.5 0.5 6Z" />`,
    warn: html`<path d="M6 0.8 11.6 11H0.4Z" />`,
    bad: html`<rect x="0.8" y="0.8" width="10.4" height="10.4" rx="1.5" />`,
    off: html`<circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" stroke-width="2" />`,
};

/** The shape alone; next to a word that says the same. `kind` is ok, busy, warn, bad or off. */
export const Shape = ({kind}) =>
    html`<svg class=${`shape is-${kind}`} viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" fill="currentColor">${shapes[kind]}</svg>`;

export const Badge = ({kind = 'off', children}) =>
    html`<span class=${`badge is-${kind}`}><${Shape} kind=${kind} />${children}</span>`;

/** The state of a message. */
export function StateBadge({state}) {
    const [word, kind] = words.states[state] ?? [state, 'off'];
    return html`<${Badge} kind=${kind}>${word}<//>`;
}
