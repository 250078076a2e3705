/** Figures as small pictures. */
import {html} from '../html.js';

/** A share as a bar, such as of a disk or a promise. Above `warnAt` it is amber, above 1 red. */
export function Meter({share, warnAt = 0.8, text}) {
    const kind = share > 1 ? 'bad' : share > warnAt ? 'warn' : 'ok';
    return html`<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label=${text}>
        <rect class="fill-track" width="100" height="6" /><rect class=${`fill-${kind}`} width=${Math.max(share > 0 ? 1.5 : 0, Math.min(100, share * 100))} height="6" /></svg>`;
}
