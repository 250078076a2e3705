/** All modems as tiles, in slot order. */
import {hrefOf} from '../base.js';
import {Badge, Empty, Page, Signal, StateView} from '../components/index.js';
import {html} from '../html.js';
import {modemSign, quotaLeft} from '../modem_sign.js';
import {useResource} from '../resource.js';
import {place, setQuery} from '../router.js';
import {words} from '../words/index.js';
import * as w from '../words/modems.js';

const SHOWN_MAX = 96;

function Tile({modem}) {
    const sign = modemSign(modem);
    const quota = quotaLeft(modem);
    return html`
        <a class=${`tile is-${sign.kind}`} data-row href=${hrefOf(`/modems/${encodeURIComponent(modem.name)}`)}>
            <span class="tile-head"><strong>${modem.name}</strong><${Badge} kind=${sign.kind}>${sign.word}<//></span>
            <span class="tile-line"><span>${modem.operator ?? w.noOperator}</span>
                <span class="nowrap"><${Signal} dbm=${modem.signal_dbm} /> ${w.dbm(modem.signal_dbm)}</span></span>
            <span class="tile-line muted"><span>${modem.number ?? w.noNumber}</span><span>${w.inFlight(modem.in_flight)}</span></span>
            ${quota && html`<span class="tile-line muted">${quota}</span>`}
            ${sign.why && html`<span class="tile-why">${sign.why}</span>`}
        </a>`;
}

function Tiles({modems}) {
    const q = place.value.query.get('q') ?? '';
    const wanted = q.trim().toLowerCase();
    const fits = modems.filter((modem) => !wanted || [modem.name, modem.operator, modem.number, modem.group, modemSign(modem).word].some((text) => text?.toLowerCase().includes(wanted)));
    return html`
        ${modems.length > 12 && html`<p class="filter"><input type="search" data-search aria-label=${w.filter} placeholder=${w.filter} value=${q} onInput=${(event) => setQuery({q: event.target.value})} /></p>`}
        ${fits.length === 0 ? html`<${Empty} title=${w.noneFits} />` : html`<div class="tiles">${fits.slice(0, SHOWN_MAX).map((modem) => html`<${Tile} key=${modem.name} modem=${modem} />`)}</div>`}
        ${fits.length > SHOWN_MAX && html`<p class="more muted">${words.shown(SHOWN_MAX, fits.length)}</p>`}`;
}

export function Modems() {
    const modems = useResource('v1/modems', {on: ['modem.', 'message.sent', 'message.sending'], every: 5, gapMs: 1000});
    const all = modems.data?.modems;
    const empty = html`<${Empty} title=${w.empty} command=${w.emptyCommand}>${w.emptyHow}<//>`;
    return html`
        <${Page} title=${words.titles.modems} lead=${all && w.lead(all.filter((modem) => ['ok', 'busy'].includes(modemSign(modem).kind)).length, all.length)}>
            <${StateView} of=${modems} isEmpty=${(data) => data.modems.length === 0} empty=${empty}>${(data) => html`<${Tiles} modems=${data.modems} />`}<//>
        <//>`;
}
