/** Triggers: how many pairs each has, what its events became, and whether a number had its message. */
import {get, post, withQuery} from '../api.js';
import {Action, Card, Empty, Facts, Link, Page, StateBadge, StateView, Table, Time, useAction} from '../components/index.js';
import {Snippet} from '../components/text.js';
import {count, duration, octets, percent} from '../format.js';
import {html, useState} from '../html.js';
import {useResource} from '../resource.js';
import {can} from '../store.js';
import {words} from '../words/index.js';
import * as t from '../words/triggers.js';

const EVERY_S = 2;
const TOPICS_SHOWN = 200;
const pathOf = (name) => `/triggers/${encodeURIComponent(name)}`;
const rateText = (share) => (share === null || share === undefined ? words.none : share > 0 && share < 0.001 ? share.toExponential(1) : percent(share));

const columns = [
    {head: t.columns.name, cell: (row) => row.name},
    {head: t.columns.topics, end: true, cell: (row) => count(row.topic_count)},
    {head: t.columns.keys, end: true, cell: (row) => count(row.keys)},
    {head: t.columns.new, end: true, cell: (row) => count(row.events.new)},
    {head: t.columns.seen, end: true, wide: true, cell: (row) => count(row.events.seen)},
    {head: t.columns.waiting, end: true, wide: true, cell: (row) => count(row.waiting)},
    {head: t.columns.share, end: true, wide: true, cell: (row) => percent(row.share)},
];

export function Triggers() {
    const all = useResource('v1/triggers', {every: EVERY_S});
    const empty = html`<${Empty} title=${t.empty} command=${t.emptyCommand}>${t.emptyHow}<//>`;
    return html`
        <${Page} title=${t.title} lead=${t.lead}>
            <${StateView} of=${all} isEmpty=${(data) => data.triggers.length === 0} empty=${empty}>${(data) => html`
                <${Card}><${Table} stack caption=${t.caption} columns=${columns} rows=${data.triggers} keyOf=${(row) => row.name} to=${(row) => pathOf(row.name)} /><//>`}<//>
        <//>`;
}

const topicColumns = [
    {head: t.columns.topic, cell: (row) => html`<${Snippet} text=${row.topic} />${row.members?.length > 0 && html` <small class="muted">${t.members(row.members.join(', '))}</small>`}`},
    {head: t.columns.keys, end: true, cell: (row) => count(row.keys)},
    {head: t.columns.size, end: true, wide: true, cell: (row) => octets(row.bits / 8)},
    {head: t.columns.error, end: true, wide: true, cell: (row) => rateText(row.fp_estimate)},
    {head: t.columns.new, end: true, cell: (row) => count(row.new)},
    {head: t.columns.seen, end: true, cell: (row) => count(row.seen)},
];

const pairColumns = [
    {head: t.columns.topic, cell: (row) => html`<${Snippet} text=${row.topic} />`},
    {head: t.columns.why, cell: (row) => row.why},
    {head: '', end: true, cell: (row) => row.message_id && html`<${Link} to=${`/messages/${row.message_id}`}>${row.message ? html`<${StateBadge} state=${row.message.state} />` : row.message_id}<//>`},
];

function Find({name}) {
    const [number, setNumber] = useState('');
    const [topic, setTopic] = useState('');
    const [found, setFound] = useState(null);
    const [look, busy] = useAction(async () => setFound(await get(withQuery(`v1/triggers/${encodeURIComponent(name)}/trace`, {number: number.trim(), topic: topic.trim()}))), {done: null});
    return html`
        <${Card} title=${t.find}>
            <form class="form-row" onSubmit=${(event) => { event.preventDefault(); look(); }}>
                <label class="field"><span>${t.findNumber}</span><input type="tel" required autocomplete="off" value=${number} onInput=${(event) => setNumber(event.target.value)} /></label>
                <label class="field"><span>${t.findTopic}</span><input type="text" autocomplete="off" value=${topic} onInput=${(event) => setTopic(event.target.value)} /></label>
                <button type="submit" disabled=${busy}>${t.findAction}</button>
            </form>
            ${found && html`<div role="status"><p>${t.inShare(found.in_share)}</p>
                ${found.pairs.length === 0 ? html`<p class="muted">${t.foundNone}</p>` : html`<${Table} caption=${t.find} columns=${pairColumns} rows=${found.pairs} keyOf=${(row) => row.topic} />`}</div>`}
        <//>`;
}

const settingsOf = (of) => [
    [t.fields.share, percent(of.share)],
    [t.fields.verify, of.verify ? words.yes : words.no],
    [t.fields.capacity, count(of.capacity)],
    [t.fields.wanted, rateText(of.fp_rate)],
    [t.fields.estimated, rateText(of.fp_estimate)],
    [t.fields.perMinute, of.per_minute === null ? null : count(of.per_minute)],
    [t.fields.batchS, of.batch_s ? duration(of.batch_s) : null],
    [t.fields.maxAge, of.max_age_s === null ? null : duration(of.max_age_s)],
    [t.fields.waiting, count(of.waiting)],
    [t.fields.ahead, count(of.ahead)],
    [t.fields.batch, of.batch && html`<${Link} to=${`/batches/${encodeURIComponent(of.batch)}`}>${of.batch}<//>`],
    [t.fields.falseHits, count(of.false_hits)],
    [t.fields.rebuilt, of.rebuild?.running ? t.rebuildRuns(count(of.rebuild.rows)) : of.rebuild?.ended_at && html`<${Time} at=${of.rebuild.ended_at} />`],
];

function Whole({of}) {
    const events = Object.entries(t.events).filter(([key]) => ['accepted', 'new', 'seen'].includes(key) || of.events[key] > 0);
    return html`
        ${t.waitsFor[of.waiting_for] && html`<p class="notice is-warn">${t.waitsFor[of.waiting_for]}</p>`}
        <${Card} title=${t.numbers}><dl class="sums">${events.map(([key, name]) => html`<div key=${key}><dd>${count(of.events[key])}</dd><dt>${name}</dt></div>`)}</dl><//>
        <${Card} title=${t.topics} aside=${t.topicsCount(count(of.topic_count))}>${of.topics?.length > 0
            ? html`<${Table} caption=${t.topics} columns=${topicColumns} rows=${of.topics.slice(0, TOPICS_SHOWN)} keyOf=${(row) => row.topic} />${of.topics.length > TOPICS_SHOWN && html`<p class="muted">${words.shown(TOPICS_SHOWN, count(of.topics.length))}</p>`}`
            : html`<${Empty} title=${t.noTopics} />`}<//>
        <${Find} name=${of.name} />
        <${Card} title=${t.settings}><${Facts} of=${settingsOf(of)} /><//>
        ${of.samples?.length > 0 && html`<${Card} title=${t.samples}><ul class="dialogue">${of.samples.map((one, at) => html`<li key=${at}>${t.columns.line} ${count(one.line)}: ${one.why}</li>`)}</ul><//>`}`;
}

export function Trigger({name}) {
    const trigger = useResource(`v1/triggers/${encodeURIComponent(name)}`, {every: EVERY_S});
    const back = {to: '/triggers', text: t.back};
    if (!trigger.data && trigger.error?.status === 404) return html`<${Page} title=${t.gone} back=${back}><${Empty} title=${t.gone}>${t.goneHow}<//><//>`;
    const rebuild = can('admin') && html`<${Action} run=${async () => { await post(`v1/triggers/${encodeURIComponent(name)}/rebuild`); trigger.reload(); }} done=${t.rebuilding}
        ask=${{effect: t.askRebuild, detail: t.askRebuildDetail, action: t.rebuild, danger: false}}>${t.rebuild}<//>`;
    return html`
        <${Page} title=${t.one(name)} back=${back} actions=${rebuild}>
            <${StateView} of=${trigger}>${(data) => html`<${Whole} of=${data} />`}<//>
        <//>`;
}
