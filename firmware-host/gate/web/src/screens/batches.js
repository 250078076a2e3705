/** Batches: how far each is, and what can be done with it. */
import {del, post} from '../api.js';
import {sizesOf} from '../batch_rate.js';
import {Action, Badge, Card, Empty, Facts, Link, More, Page, StateView, Table, Time} from '../components/index.js';
import {count} from '../format.js';
import {html} from '../html.js';
import {usePages} from '../pages.js';
import {plural} from '../plural.js';
import {useResource} from '../resource.js';
import {can} from '../store.js';
import {words} from '../words/index.js';
import * as t from '../words/batches.js';
import {BatchProgress, Pace, StateBar} from './batch_progress.js';

const pathOf = (name) => `/batches/${encodeURIComponent(name)}`;

function Sign({of}) {
    if (of.cancelling) return html`<${Badge} kind="warn">${t.cancelling}<//>`;
    if (of.cancelled_at) return html`<${Badge} kind="off">${t.cancelled}<//>`;
    if (of.paused_since) return html`<${Badge} kind="warn">${t.paused}<//>`;
    return sizesOf(of).left === 0 ? html`<${Badge} kind="ok">${t.ended}<//>` : html`<${Badge} kind="busy">${t.running}<//>`;
}

function Actions({of, reload}) {
    const {left} = sizesOf(of);
    if (!can('admin') || of.cancelled_at) return null;
    const then = (call) => async () => {
        await call();
        reload();
    };
    return html`
        ${of.paused_since
            ? html`<${Action} run=${then(() => post('v1/resume', {batch: of.batch}))} done=${t.resumedNow(of.batch)} label=${`${t.resume} ${of.batch}`}>${t.resume}<//>`
            : left > 0 && html`<${Action} run=${then(() => post('v1/pause', {batch: of.batch}))} done=${t.pausedNow(of.batch)} label=${`${t.pause} ${of.batch}`}>${t.pause}<//>`}
        ${left > 0 && html`<${Action} kind="danger" run=${then(() => del(`v1/batches/${encodeURIComponent(of.batch)}`))} done=${t.cancelledNow(plural(left, 'message'))} label=${`${t.cancel} ${of.batch}`}
            ask=${{effect: t.askCancel(plural(left, 'waiting message')), detail: t.askCancelDetail(of.batch), action: t.doCancel, size: left, name: of.batch}}>${t.cancel}<//>`}`;
}

const columns = (reload) => [
    {head: t.columns.name, cell: (row) => row.batch},
    {head: t.columns.state, cell: (row) => html`<${Sign} of=${row} />`},
    {head: t.columns.progress, cell: (row) => html`<div class="in-row"><${StateBar} of=${row} /><small class="muted nowrap">${count(sizesOf(row).over)} / ${count(row.total)}</small></div>`},
    {head: t.columns.rate, wide: true, cell: (row) => html`<${Pace} of=${row} />`},
    {head: t.columns.created, wide: true, end: true, cell: (row) => html`<${Time} at=${row.created_at} />`},
    can('admin') && {head: html`<span class="unseen">${t.cancel}</span>`, wide: true, end: true, cell: (row) => html`<span class="row is-end"><${Actions} of=${row} reload=${reload} /></span>`},
].filter(Boolean);

export function Batches() {
    const pages = usePages('v1/batches', 'batches', {limit: 50, on: ['message.'], keyOf: (row) => row.batch});
    const empty = html`<${Empty} title=${t.empty} command=${t.emptyCommand}>${t.emptyHow}<//>`;
    return html`
        <${Page} title=${t.title}>
            <${StateView} of=${pages} isEmpty=${() => pages.rows.length === 0} empty=${empty}>${() => html`
                <${Card} class="is-dense"><${Table} stack caption=${t.caption} columns=${columns(pages.reload)} rows=${pages.rows} keyOf=${(row) => row.batch} to=${(row) => pathOf(row.batch)} /><//>
                <${More} of=${pages} />`}<//>
        <//>`;
}

export function Batch({name}) {
    const batch = useResource(`v1/batches/${encodeURIComponent(name)}`, {on: ['message.']});
    const of = batch.data;
    const back = {to: '/batches', text: t.back};
    if (!of && batch.error?.status === 404) return html`<${Page} title=${t.gone} back=${back}><${Empty} title=${t.gone}>${t.goneHow}<//><//>`;
    return html`
        <${Page} title=${t.one(name)} back=${back} lead=${of && html`<${Sign} of=${of} />`}
            actions=${of && html`<${Link} class="button" to=${`/messages?batch=${encodeURIComponent(name)}`}>${t.show}<//><${Actions} of=${of} reload=${batch.reload} />`}>
            <${StateView} of=${batch}>${() => html`
                <${Card} title=${t.counts}><${BatchProgress} name=${name} /><//>
                <${Card}><${Facts} of=${[
                    [t.columns.counts, count(of.total)],
                    [t.columns.left, count(sizesOf(of).left)],
                    [t.columns.created, html`<${Time} at=${of.created_at} seconds />`],
                    [t.pausedSince, of.paused_since && html`<${Time} at=${of.paused_since} seconds />`],
                    [t.cancelled, of.cancelled_at && html`<${Time} at=${of.cancelled_at} seconds />`],
                ]} /><//>`}<//>
        <//>`;
}
