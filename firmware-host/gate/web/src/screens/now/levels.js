/** How long messages of each level took, against what was promised. */
import {Meter} from '../../components/meter.js';
import {Card} from '../../components/page.js';
import {Table} from '../../components/table.js';
import {count, duration} from '../../format.js';
import {html} from '../../html.js';
import * as w from '../../words/now_details.js';


export function Levels({status}) {
    const columns = [
        {head: w.levelHead, cell: (row) => html`<span class="nowrap">${w.level(row.level)}</span>`},
        {head: w.depth, end: true, cell: (row) => count(row.depth)},
        {head: w.took, end: true, cell: (row) => duration(row.t_recent_ms === null ? null : row.t_recent_ms / 1000)},
        {head: w.promise, end: true, cell: (row) => duration(row.sla_ms / 1000)},
        {head: w.shareHead, wide: true, cell: (row) => row.t_recent_ms !== null && html`<div class="level-meter"><${Meter} share=${row.t_recent_ms / row.sla_ms} text=${w.share(row.t_recent_ms / row.sla_ms)} /></div>`},
    ];
    return html`
        <${Card} title=${w.levels} aside=${w.levelsAside}>
            <${Table} caption=${w.levels} columns=${columns} rows=${[...status.levels].reverse()} keyOf=${(row) => row.level} />
        <//>`;
}
