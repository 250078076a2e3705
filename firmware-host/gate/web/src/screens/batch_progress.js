/** How far a batch is: a bar by state, the counts, the rate and the expected end. */
import {rateOf, sizesOf} from '../batch_rate.js';
import {Link, Shape, StateView} from '../components/index.js';
import {count, duration} from '../format.js';
import {html} from '../html.js';
import {useResource} from '../resource.js';
import {words} from '../words/index.js';
import * as t from '../words/batches.js';

// In the order of the bar: what is done on the left, what waits on the right.
const order = ['delivered', 'sent', 'undelivered', 'failed', 'expired', 'cancelled', 'uncertain', 'sending', 'queued', 'elsewhere', 'scheduled'];
const fillOf = {delivered: 'ok', sent: 'ok', undelivered: 'bad', failed: 'bad', expired: 'warn', cancelled: 'off', uncertain: 'warn', sending: 'busy', queued: 'track', elsewhere: 'track', scheduled: 'track'};

/** One bar, by state. */
export function StateBar({of}) {
    const {over, total} = sizesOf(of);
    const all = Math.max(1, total, Object.values(of.messages).reduce((sum, one) => sum + one, 0));
    let from = 0;
    return html`<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label=${t.progress(count(over), count(total))}>
        <rect class="fill-track" width="100" height="6" />
        ${order.filter((state) => of.messages[state] > 0).map((state) => {
            const width = (of.messages[state] / all) * 100;
            from += width;
            return html`<rect key=${state} class=${`fill-${fillOf[state]}`} x=${from - width} width=${width} height="6" />`;
        })}</svg>`;
}

/** "312 a minute, ends in about 4 min". */
export function Pace({of}) {
    const {perS, endsInS} = rateOf(of);
    if (sizesOf(of).left === 0) return t.ended;
    if (of.paused_since) return t.paused;
    if (perS === null) return html`<span class="muted">${t.unknownRate}</span>`;
    return html`<span class="nowrap">${t.perMinute(count(Math.round(perS * 60)))}</span> <span class="muted nowrap">${t.endsIn(duration(endsInS))}</span>`;
}

/** Counts of the states that occur; each leads to its messages. */
export const Counts = ({of}) => html`
    <ul class="counts">${order.filter((state) => of.messages[state] > 0).map((state) => html`
        <li key=${state}><${Link} to=${`/messages?batch=${encodeURIComponent(of.batch)}&state=${state}`}><${Shape} kind=${words.states[state][1]} /> ${count(of.messages[state])} ${words.states[state][0].toLowerCase()}<//></li>`)}</ul>`;

/** A batch by its name, live. */
export function BatchProgress({name}) {
    const batch = useResource(`v1/batches/${encodeURIComponent(name)}`, {on: ['message.']});
    return html`<${StateView} of=${batch}>${(of) => html`
        <div class="batch-progress"><${StateBar} of=${of} /><p class="row-apart"><span>${t.progress(count(sizesOf(of).over), count(of.total))}</span><span><${Pace} of=${of} /></span></p><${Counts} of=${of} /></div>`}<//>`;
}
