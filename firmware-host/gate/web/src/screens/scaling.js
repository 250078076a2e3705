/** Scaling: how many modems are in work over time, and the reason of each decision. */
import {Card, Empty, Line, Page, StateView, Table, Time} from '../components/index.js';
import {count, decimal, duration, moment} from '../format.js';
import {sentence} from '../headline.js';
import {html} from '../html.js';
import {useResource} from '../resource.js';
import {words} from '../words/index.js';
import * as w from '../words/scaling.js';

const POINTS = 240;

/** Modems in work at POINTS moments from the first decision until now. `decisions` are oldest first. */
export function overTime(decisions, now) {
    const begin = new Date(decisions[0].at).getTime();
    const step = (now - begin) / (POINTS - 1);
    let next = 0;
    let n = decisions[0].n;
    return Array.from({length: POINTS}, (_, at) => {
        while (next < decisions.length && new Date(decisions[next].at).getTime() <= begin + at * step) n = decisions[next++].y;
        return n;
    });
}

function Figures({of}) {
    const f = w.figures;
    const rows = [[f.n, count(of.n)], [f.y, of.y === null ? null : count(of.y)], [f.load, decimal(of.load)], [f.nodeRate, of.node_rate === null ? null : decimal(of.node_rate)],
        [f.forecast, of.forecast === null ? null : decimal(of.forecast)], [f.parked, count(of.parked.length)], [f.ready, of.t_ready_s === null ? null : duration(of.t_ready_s)]];
    return html`<dl class="figures is-alone">${rows.filter(([, value]) => value !== null).map(([name, value]) => html`<div class="figure" key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function Decisions({of}) {
    const newest = [...of.decisions].sort((a, b) => (a.at < b.at ? 1 : -1));
    if (newest.length === 0) return html`<${Card} title=${w.decisions}><${Empty} title=${w.noDecisions} /><//>`;
    const oldest = [...newest].reverse();
    const columns = [
        {head: w.col.at, cell: (row) => html`<${Time} at=${row.at} seconds />`},
        {head: w.col.change, cell: (row) => html`<strong class="nowrap">${w.change(row.n, row.y)}</strong>`},
        {head: w.col.why, cell: (row) => sentence(row.why)},
        {head: w.col.modem, cell: (row) => row.modem ?? words.none},
        {head: w.col.load, end: true, wide: true, cell: (row) => w.perSecond(decimal(row.load))},
    ];
    return html`
        <${Card} title=${w.over}>
            <${Line} values=${overTime(oldest, Date.now())} low=${0} high=${of.n_max} height=${120} stairs ends=${[moment(oldest[0].at), w.nowEnd]} text=${w.overText(oldest[0].n, of.n)} />
        <//>
        <${Card} title=${w.decisions}><${Table} stack caption=${w.decisions} columns=${columns} rows=${newest} keyOf=${(row) => `${row.at} ${row.modem}`} /><//>`;
}

export function Scaling() {
    const scaling = useResource('v1/scaling?limit=100', {on: ['scaling.', 'modem.'], every: 5});
    const empty = html`<${Card}><${Empty} title=${w.off} command=${w.offCommand}>${w.offHow}<//><//>`;
    return html`
        <${Page} title=${words.titles.scaling} lead=${scaling.data?.enabled && w.lead(scaling.data.n, scaling.data.n_min, scaling.data.n_max)}>
            <${StateView} of=${scaling} isEmpty=${(data) => !data.enabled} empty=${empty}>${(data) => html`
                <${Card}><${Figures} of=${data} /><p class="muted">${sentence(data.arrivals.words)}.</p><//>
                <${Decisions} of=${data} />`}<//>
        <//>`;
}
