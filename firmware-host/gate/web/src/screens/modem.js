/** One modem: its state, signal and traffic of a day, its SIM, what was done to it. */
import {post, withQuery} from '../api.js';
import {Action, Advice, Badge, Bars, Card, Empty, Facts, Line, More, Page, StateView, Table, Time} from '../components/index.js';
import {count, moment} from '../format.js';
import {sentence} from '../headline.js';
import {html} from '../html.js';
import {modemSign, quotaLeft} from '../modem_sign.js';
import {usePages} from '../pages.js';
import {useResource} from '../resource.js';
import {can} from '../store.js';
import {words} from '../words/index.js';
import * as w from '../words/modems.js';
import {AuditList} from './box/audit.js';
import {ModemCauses} from './modem/causes.js';
import {Talk} from './modem/talk.js';

const DAY_MS = 86_400_000;
const STEP_MS = 300_000; // of the history that is read
const STEPS_OF_BAR = 6;  // half an hour

const pathOf = (name) => `v1/modems/${encodeURIComponent(name)}`;

function Actions({modem, reload}) {
    const {name} = modem;
    if (!can('admin')) return null;
    const order = (what) => async () => {
        await post(`${pathOf(name)}/${what}`, {});
        reload();
    };
    return html`
        ${modem.manual === 'open' && !modem.parked
            ? html`<${Action} run=${order('drain')} done=${w.drained(name)}>${w.drain}<//>`
            : html`<${Action} kind="primary" run=${order('resume')} done=${w.resumed(name)}>${w.resume}<//>`}
        <${Action} kind="danger" run=${order('reset')} done=${w.resetDone(name)} ask=${{effect: w.resetAsk(name, modem.in_flight), detail: w.resetDetail, action: w.reset}}>${w.reset}<//>`;
}

function Device({modem}) {
    const f = w.facts;
    return html`<${Card} title=${w.device}><${Facts} of=${[
        [f.operator, modem.operator ?? w.noOperator],
        [f.registration, modem.registration.replace('_', ' ')],
        [f.number, modem.number && html`<a href=${`tel:${modem.number}`}>${modem.number}</a>`],
        [f.inFlight, count(modem.in_flight)],
        [f.quota, quotaLeft(modem)],
        [f.paused, modem.paused?.until && html`<${Time} at=${modem.paused.until} />`],
        [f.listens, modem.listens_at && html`<${Time} at=${modem.listens_at} />`],
        [f.simUse, modem.sim_used === null ? null : w.simUse(modem.sim_used, modem.sim_total)],
        [f.accepted, count(modem.accepted)], [f.failed, count(modem.failed)], [f.received, count(modem.received)],
        [f.group, modem.group], [f.port, html`<code>${modem.port}</code>`],
        [f.model, modem.model], [f.revision, modem.revision],
        [f.imei, modem.imei], [f.imsi, modem.imsi], [f.iccid, modem.iccid],
    ]} /><//>`;
}

/** Sums of `size` neighbours. */
const summed = (values, size) => values.reduce((sums, value, at) => {
    if (at % size === 0) sums.push(0);
    sums[sums.length - 1] += value;
    return sums;
}, []);
const sum = (values) => values.reduce((all, value) => all + value, 0);

function Day({name}) {
    const path = () => {
        const end = Math.floor(Date.now() / STEP_MS + 1) * STEP_MS;
        return withQuery('v1/history', {step: '5m', modem: name, from: new Date(end - DAY_MS).toISOString(), to: new Date(end).toISOString()});
    };
    const history = useResource(path, {key: `a day of ${name}`, every: 60});
    const draw = ({from, modems}) => {
        const [one = {sent: [0], failed: [0], received: [0], signal_dbm: []}] = modems;
        const [sent, failed, received] = [one.sent, one.failed, one.received].map((values) => summed(values, STEPS_OF_BAR));
        const signal = one.signal_dbm.filter((value) => value !== null);
        const low = Math.min(...signal);
        const high = Math.max(...signal);
        const known = signal.length > 0;
        const at = (n) => moment(new Date(from).getTime() + n * STEPS_OF_BAR * STEP_MS);
        return html`
            <${Bars} series=${[{name: w.sent, kind: 'busy', values: sent}, {name: w.received, kind: 'ok', values: received}, {name: w.failed, kind: 'bad', values: failed}]}
                labels=${(n) => w.halfHour(at(n), sent[n], received[n], failed[n])} ends=${[w.dayAgo, w.nowEnd]} text=${w.trafficText(sum(sent), sum(failed), sum(received))} />
            <p class="muted">${w.trafficText(sum(sent), sum(failed), sum(received))}</p>
            <h3 class="above">${w.signal}</h3>
            ${known && html`<${Line} values=${one.signal_dbm} low=${-113} high=${-51} height=${64} unit=" dBm" ends=${[w.dayAgo, w.nowEnd]} text=${w.signalText(low, high)} />`}
            <p class="muted">${known ? w.signalText(low, high) : w.noSignal}</p>`;
    };
    return html`<${Card} title=${w.traffic}><${StateView} of=${history}>${draw}<//><//>`;
}

function Past({name}) {
    const states = usePages(`${pathOf(name)}/history`, 'states', {limit: 8, on: ['modem.']});
    const columns = [
        {head: w.col.time, cell: (row) => html`<${Time} at=${row.at} seconds />`},
        {head: w.col.state, cell: (row) => sentence(row.state.replaceAll('_', ' '))},
    ];
    return html`
        <${Card} title=${w.past}>
            <${StateView} of=${{...states, optional: true}} isEmpty=${(data) => data.states.length === 0} empty=${html`<${Empty} title=${w.pastEmpty} />`}>${() => html`
                <${Table} caption=${w.past} columns=${columns} rows=${states.rows} /><${More} of=${states} />`}<//>
        <//>`;
}

function Head({modem}) {
    const sign = modemSign(modem);
    return html`
        <p class=${`state-line is-${sign.kind}`}><${Badge} kind=${sign.kind}>${sign.word}<//>
            ${sign.why && html`<span><${Advice} text=${sign.why} /></span>`}</p>`;
}

export function Modem({name}) {
    const modem = useResource(pathOf(name), {on: ['modem.', 'message.sending', 'message.sent'], every: 5});
    return html`
        <${Page} title=${name} back=${{to: '/modems', text: words.titles.modems}} actions=${modem.data && html`<${Actions} modem=${modem.data} reload=${modem.reload} />`}>
            <${StateView} of=${modem}>${(data) => html`
                <${Head} modem=${data} />
                <div class="grid is-wide"><${Device} modem=${data} /><${Day} name=${name} /><${Past} name=${name} /><${ModemCauses} name=${name} />
                    ${can('admin') && html`<${Talk} path=${pathOf(name)} /><${AuditList} fits=${(row) => row.call.includes(`/v1/modems/${name}/`)} />`}</div>`}<//>
        <//>`;
}
