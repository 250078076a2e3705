/** What needs a person, the worst first: cause, since when, one button. */
import {post} from '../../api.js';
import {hrefOf} from '../../base.js';
import {Advice} from '../../components/advice.js';
import {Action} from '../../components/action.js';
import {Shape} from '../../components/badge.js';
import {Card} from '../../components/page.js';
import {Ago} from '../../components/time.js';
import {html} from '../../html.js';
import {useResource} from '../../resource.js';
import {can} from '../../store.js';
import {words} from '../../words/index.js';

const w = words.now;
const SHOWN_MAX = 5;

/** The one thing to do, or the place to look. */
function Deed({one}) {
    const {kind, name} = one.object;
    if (can('admin') && one.code === 'rack_paused') return html`<${Action} kind="small" run=${() => post('v1/resume', {})} done=${w.resumed}>${w.resume}<//>`;
    if (can('admin') && one.code === 'group_paused' && name) return html`<${Action} kind="small" run=${() => post('v1/resume', {group: name})} done=${w.resumed}>${w.resume}<//>`;
    if (kind === 'modem' && name) return html`<a class="button small" href=${hrefOf(`/modems/${encodeURIComponent(name)}`)}>${w.open(name)}</a>`;
    if (kind === 'group' || one.code === 'modems_drained') return html`<a class="button small" href=${hrefOf('/modems')}>${words.titles.modems}</a>`;
    if (kind === 'webhook' && name) return html`<a class="button small" href=${hrefOf(`/programs/webhooks/${encodeURIComponent(name)}`)}>${w.open(name)}</a>`;
    return html`<a class="button small" href=${hrefOf('/box')}>${w.openBox}</a>`;
}

export function Attention({status}) {
    // The list is worth a call only while the status names a condition.
    const list = useResource(status.conditions.length > 0 ? `v1/attention?limit=${SHOWN_MAX}` : null, {on: ['modem.', 'service.', 'message.'], every: 1, gapMs: 1000});
    const rows = status.conditions.length > 0 ? list.data?.attention ?? [] : [];
    if (rows.length === 0) return null;
    return html`
        <${Card} title=${w.attention} aside=${list.data.total > rows.length && w.more(list.data.total - rows.length)}>
            <ul class="attention">${rows.map((one) => html`
                <li key=${`${one.code} ${one.object.name}`} class=${one.severity === 'critical' ? 'is-bad' : 'is-warn'} data-row>
                    <${Shape} kind=${one.severity === 'critical' ? 'bad' : 'warn'} />
                    <div><p class="cause"><${Advice} text=${one.cause} /></p><p class="muted"><${Advice} text=${one.advice} /> <span class="nowrap">· <${Ago} at=${one.since} /></span></p></div>
                    <${Deed} one=${one} />
                </li>`)}</ul>
        <//>`;
}
