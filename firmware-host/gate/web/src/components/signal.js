import {html} from '../html.js';

/** Signal as four bars, as phones show it. */
export function Signal({dbm}) {
    const bars = dbm === null || dbm === undefined ? 0 : dbm >= -73 ? 4 : dbm >= -83 ? 3 : dbm >= -93 ? 2 : 1;
    return html`<svg class="signal" viewBox="0 0 18 12" width="18" height="12" aria-hidden="true">
        ${[0, 1, 2, 3].map((at) => html`<rect key=${at} class=${at < bars ? 'on' : 'off'} x=${at * 5} width="3" y=${9 - at * 3} height=${3 + at * 3} />`)}</svg>`;
}
