/** One webhook: its figures, its deliveries with their tries. */
import {post, withQuery} from '../../api.js';
import {Action, Badge, Card, Empty, Facts, Link, More, Page, StateView, Table, Time, toast} from '../../components/index.js';
import {count, duration} from '../../format.js';
import {html} from '../../html.js';
import {usePages} from '../../pages.js';
import {useResource} from '../../resource.js';
import {place, setQuery} from '../../router.js';
import {can} from '../../store.js';
import {words} from '../../words/index.js';
import * as w from '../../words/programs.js';
import {HookState, Replay, hookPath, lastOf} from './webhooks.js';

function Actions({hook, reload}) {
    if (!can('admin')) return null;
    const {name} = hook;
    const order = (what) => async () => {
        await post(`${hookPath(name)}/${what}`, {});
        reload();
    };
    const test = async () => {
        const answer = await post(`${hookPath(name)}/test`, {});
        toast(w.tested(answer) + (answer.advice ? ` ${answer.advice}` : ''), answer.ok ? 'ok' : 'bad');
    };
    return html`
        <${Replay} hook=${hook} reload=${reload} />
        <${Action} run=${test} done=${null}>${w.test}<//>
        ${hook.state === 'off'
            ? html`<${Action} kind="primary" run=${order('open')} done=${w.switchedOn(name)}>${w.switchOn}<//>`
            : html`<${Action} kind="danger" run=${order('off')} done=${w.switchedOff(name)} ask=${{effect: w.switchOffAsk(name, hook.waiting), action: w.switchOff}}>${w.switchOff}<//>`}`;
}

const resultOf = (row) => {
    const last = row.attempts.at(-1);
    return last ? last.error ?? String(last.status) : words.none;
};

function Deliveries({name}) {
    const state = place.value.query.get('state') ?? '';
    const rows = usePages(`${hookPath(name)}/deliveries`, 'deliveries', {query: {state}, limit: 50, on: ['webhook.', 'message.'], every: 5, keyOf: (row) => row.event});
    const again = (row) => async () => {
        await post(`${hookPath(name)}/replay`, {event: row.event});
        rows.reload();
    };
    const columns = [
        {head: w.col.event, cell: (row) => html`<code>${row.event}</code>`},
        {head: w.col.type, cell: (row) => (row.message && row.type !== 'message.received' ? html`<${Link} to=${`/messages/${row.message}`}>${row.type}<//>` : row.type)},
        {head: w.col.state, cell: (row) => {
            const [word, kind] = w.deliveryKinds[row.state] ?? [row.state, 'off'];
            return html`<${Badge} kind=${kind}>${word}<//>`;
        }},
        {head: w.col.at, cell: (row) => html`<${Time} at=${row.attempts.at(-1)?.at ?? row.at} seconds />`},
        {head: w.col.tries, end: true, wide: true, cell: (row) => count(row.attempts_made)},
        {head: w.col.result, cell: resultOf},
        ...(can('admin') ? [{head: words.deed, end: true, cell: (row) => row.state !== 'waiting' && html`<${Action} kind="small" run=${again(row)} done=${w.replayed(1)}>${w.replayOne}<//>`}] : []),
    ];
    return html`
        <${Card} title=${w.deliveries} aside=${html`<label>${w.filter} <select value=${state} onChange=${(event) => setQuery({state: event.target.value})}>
            ${Object.entries(w.filters).map(([value, word]) => html`<option key=${value} value=${value}>${word}</option>`)}</select></label>`}>
            <${StateView} of=${rows} isEmpty=${() => rows.rows.length === 0 && !rows.hasMore} empty=${html`<${Empty} title=${w.noDeliveries} />`}>${() => html`
                <${Table} stack caption=${w.deliveries} columns=${columns} rows=${rows.rows} keyOf=${(row) => row.event} /><${More} of=${rows} />`}<//>
        <//>`;
}

export function Webhook({name}) {
    const hooks = useResource('v1/webhooks', {on: ['webhook.', 'message.'], every: 5});
    const hook = hooks.data?.webhooks.find((one) => one.name === name);
    const f = w.facts;
    return html`
        <${Page} title=${name} back=${{to: '/programs', text: words.titles.programs}} actions=${hook && html`<${Actions} hook=${hook} reload=${hooks.reload} />`}>
            <${StateView} of=${hooks} isEmpty=${() => !hook} empty=${html`<${Empty} title=${words.errors.notFound} />`}>${() => html`
                <${Card}><${Facts} of=${[
                    [f.url, html`<code>${hook.url}</code>`], [f.events, hook.events.join(', ')], [f.client, hook.client], [f.state, html`<${HookState} state=${hook.state} /> ${hook.state_since && html`<small class="muted"><${Time} at=${hook.state_since} /></small>`}`], [f.waiting, count(hook.waiting)], [f.dead, count(hook.dead)],
                    [f.oldest, hook.oldest && html`<${Time} at=${hook.oldest} />`], [f.last, lastOf(hook)],
                    [f.p50, hook.p50_ms == null ? null : duration(hook.p50_ms / 1000)], [f.p99, hook.p99_ms == null ? null : duration(hook.p99_ms / 1000)],
                ]} /><//>
                <${Deliveries} name=${name} />`}<//>
        <//>`;
}
