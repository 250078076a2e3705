/** One message: its story as a time line, its segments and attempts, and what can be done now. */
import {del, post} from '../api.js';
import {Action, Advice, Badge, Card, Empty, Facts, Link, Page, Shape, StateBadge, StateView, Table, Time} from '../components/index.js';
import {Content, Number} from '../components/text.js';
import {duration, exact, moment} from '../format.js';
import {html, useEffect} from '../html.js';
import {watch} from '../live.js';
import {plural} from '../plural.js';
import {useResource} from '../resource.js';
import {navigate} from '../router.js';
import {can} from '../store.js';
import {words} from '../words/index.js';
import * as t from '../words/message.js';

const waits = new Set(['scheduled', 'queued', 'sending']);
const ended = new Set(['sent', 'delivered', 'undelivered', 'failed', 'expired', 'cancelled']);
const mayHaveArrived = new Set(['sent', 'delivered']);

/** Reads both again when an event is about this message. */
function useMessage(id) {
    const message = useResource(`v1/messages/${id}`);
    const story = useResource(`v1/messages/${id}/explain`);
    useEffect(() => {
        const reload = () => {
            message.reload();
            story.reload();
        };
        return watch(['message.'], (events) => events.some((event) => event.id === id) && reload(), reload);
    }, [id]);
    return {message, story};
}

const codeOf = (one) => one.code && html`<code>${one.code}</code>`;

/** The sign of a step: that of the state which the message entered then. */
function kindOf(step, history) {
    const at = Date.parse(step.at);
    const state = history.filter((one) => Date.parse(one.at) <= at + 1).at(-1)?.state;
    return words.states[state]?.[1] ?? 'off';
}

const Story = ({of, history}) => html`
    <ol class="story">
        ${of.story.map((step, at) => html`
            <li key=${at}>
                <span class="story-at"><${Time} at=${step.at} seconds /></span><${Shape} kind=${kindOf(step, history)} />
                <div><p><${Advice} text=${step.what} /></p>
                    ${step.advice && html`<p class="advice">${step.advice}</p>`}
                    ${step.details?.length > 0 && html`<details><summary>${t.details}</summary><ul class="dialogue">${step.details.map((line, n) => html`<li key=${n}><code>${line}</code></li>`)}</ul></details>`}</div>
            </li>`)}
        <li class="story-next"><span class="story-at">${t.next}</span><${Shape} kind="off" /><div><p><${Advice} text=${of.next} /></p></div></li>
    </ol>`;

const factsOf = (of) => [
    [t.fields.id, html`<code>${of.id}</code>`],
    [t.fields.to, html`<${Number} of=${of.to} call />`],
    [t.fields.segments, of.segments],
    [t.fields.level, of.priority],
    [t.fields.group, of.group],
    [t.fields.modem, of.modem && html`<${Link} to=${`/modems/${encodeURIComponent(of.modem)}`}>${of.modem}<//>`],
    [t.fields.batch, of.batch && html`<${Link} to=${`/batches/${encodeURIComponent(of.batch)}`}>${of.batch}<//>`],
    [t.fields.client, of.client],
    [t.fields.ref, of.ref && html`<code>${of.ref}</code>`],
    [t.fields.accepted, html`<${Time} at=${of.created_at} seconds />`],
    [t.fields.changed, html`<${Time} at=${of.updated_at} seconds />`],
    [t.fields.notBefore, of.not_before && html`<${Time} at=${of.not_before} />`],
    [t.fields.nextAttempt, of.next_attempt_at && html`<${Time} at=${of.next_attempt_at} seconds />`],
    [t.fields.expires, waits.has(of.state) && of.expires_at ? html`<${Time} at=${of.expires_at} />` : null],
    [t.fields.report, of.report === undefined ? null : of.report ? t.wanted : t.notWanted],
    [t.fields.class, of.class],
    [t.fields.code, codeOf(of)],
];

const segmentColumns = [
    {head: t.columns.segment, cell: (row) => row.segment},
    {head: t.columns.state, cell: (row) => html`<${StateBadge} state=${row.state} />`},
    {head: t.columns.reference, end: true, wide: true, cell: (row) => row.tp_mr ?? words.none},
    {head: t.columns.status, end: true, cell: (row) => (row.tp_status === null || row.tp_status === undefined ? html`<span class="muted">${t.noReport}</span>` : row.tp_status)},
    {head: t.columns.reported, end: true, cell: (row) => html`<${Time} at=${row.reported_at} seconds />`},
];

const outcomeKinds = {open: 'busy', accepted: 'ok', refused: 'bad', not_sent: 'warn', unknown: 'warn'};
const attemptColumns = [
    {head: t.columns.attempt, cell: (row) => row.attempt},
    {head: t.columns.segment, end: true, wide: true, cell: (row) => row.segment},
    {head: t.columns.modem, cell: (row) => row.modem},
    {head: t.columns.began, cell: (row) => html`<${Time} at=${row.at} seconds />`},
    {head: t.columns.took, end: true, wide: true, cell: (row) => (row.ended_at ? duration((Date.parse(row.ended_at) - Date.parse(row.at)) / 1000) : words.none)},
    {head: t.columns.outcome, cell: (row) => html`<${Badge} kind=${outcomeKinds[row.outcome] ?? 'off'}>${t.outcomes[row.outcome] ?? row.outcome}<//>`},
    {head: t.columns.code, cell: (row) => row.code && html`<span>${codeOf(row)}${row.cause && html` <span class="muted">${row.cause}</span>`}</span>`},
];

const again = (of, body) => async () => {
    const made = await post(`v1/messages/${of.id}/again`, body);
    navigate(`/messages/${made.id}`);
};

function Actions({of, reload}) {
    if (!can('send')) return null;
    if (ended.has(of.state)) {
        const twice = mayHaveArrived.has(of.state) || of.code === 'outcome_unknown';
        return html`<${Action} kind="primary" run=${again(of, {allow_duplicate: twice})} done=${t.sentAgain}
            ask=${twice ? {effect: t.askAgain, detail: t.askAgainDetail, action: t.again} : undefined}>${t.again}<//>`;
    }
    if (!waits.has(of.state)) return null;
    return html`<${Action} run=${async () => { await del(`v1/messages/${of.id}`); reload(); }} done=${t.cancelled}
        ask=${{effect: t.askCancel, detail: t.askCancelDetail(plural(of.segments, 'segment')), action: t.doCancel}}>${t.cancel}<//>`;
}

/** Only the operator can say whether a recipient may get it twice. */
function Uncertain({of}) {
    const resend = async () => {
        const made = await post('v1/messages', {to: of.to, text: of.text, data: of.data, priority: of.priority, group: of.group ?? undefined, allow_duplicate: true, ref: `resent-${of.id}`});
        navigate(`/messages/${made.id}`);
    };
    return html`
        <div class="notice is-warn">
            <h2>${t.uncertain}</h2>
            <p>${t.uncertainWhat(of.uncertain_until && moment(of.uncertain_until, {seconds: true}))}</p>
            <p class="muted">${t.uncertainHow}</p>
            ${can('send') && html`<p class="row"><${Action} run=${resend} done=${t.resent} ask=${{effect: t.askResend, detail: t.askAgainDetail, action: t.resend}}>${t.resend}<//></p>`}
        </div>`;
}

function Whole({of, story, reload}) {
    return html`
        ${of.state === 'uncertain' && html`<${Uncertain} of=${of} />`}
        <div class="columns">
            <div>
                <${Card} title=${t.sentAs}><p class="bubble-text"><${Content} of=${of} /></p><//>
                <${Card} title=${t.story}><${StateView} of=${story}>${(data) => html`<${Story} of=${data} history=${of.history} />`}<//><//>
                ${of.attempts?.length > 0 && html`<${Card} title=${t.attempts}><${Table} stack caption=${t.attempts} columns=${attemptColumns} rows=${of.attempts} keyOf=${(row) => `${row.segment}/${row.attempt}/${row.at}`} /><//>`}
                ${of.segments > 1 && html`<${Card} title=${t.segments}><${Table} stack caption=${t.segments} columns=${segmentColumns} rows=${of.segment_states} keyOf=${(row) => row.segment} /><//>`}
            </div>
            <${Card} title=${t.facts}><${Facts} of=${factsOf(of)} /><//>
        </div>`;
}

export function Message({id}) {
    const {message, story} = useMessage(id);
    const of = message.data;
    const back = {to: '/messages', text: t.back};
    if (!of && message.error?.status === 404) {
        return html`<${Page} title=${t.gone} back=${back}><${Empty} title=${t.gone}>${t.goneHow}<//><//>`;
    }
    return html`
        <${Page} title=${t.title(of?.to ?? '…')} back=${back} lead=${of && html`<${StateBadge} state=${of.state} /> <span title=${exact(of.updated_at)}>${words.since} ${moment(of.updated_at, {seconds: true})}</span>`}
            actions=${of && html`<${Actions} of=${of} reload=${message.reload} />`}>
            <${StateView} of=${message}>${(data) => html`<${Whole} of=${data} story=${story} reload=${message.reload} />`}<//>
        <//>`;
}
