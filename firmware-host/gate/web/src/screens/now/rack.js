/** The rack as small tiles in slot order. */
import {hrefOf} from '../../base.js';
import {Shape} from '../../components/badge.js';
import {Card, Link} from '../../components/page.js';
import {html} from '../../html.js';
import {modemSign, quotaLeft} from '../../modem_sign.js';
import {useResource} from '../../resource.js';
import {words} from '../../words/index.js';

const w = words.now;

const MANY = 32; // above it the words of the tiles are only read aloud and shown on hover

function Slot({modem, small}) {
    const {kind, word, why} = modemSign(modem);
    const quota = quotaLeft(modem);
    const hint = [small && word, why, small && quota].filter(Boolean).join('; ') || undefined;
    return html`<a class=${`slot is-${kind}`} href=${hrefOf(`/modems/${encodeURIComponent(modem.name)}`)} title=${hint} aria-label=${small ? `${modem.name} ${word}` : undefined}>
        <${Shape} kind=${kind} />${small ? modem.name : html`<span><strong>${modem.name}</strong> <small>${word}</small>${quota && html`<small class="quota">${quota}</small>`}</span>`}</a>`;
}

export function Rack() {
    const modems = useResource('v1/modems', {on: ['modem.', 'message.sending', 'message.sent'], every: 5, gapMs: 1000});
    const all = modems.data?.modems;
    if (!all || all.length === 0) return null;
    const many = all.length > MANY;
    const ready = all.filter((modem) => ['ok', 'busy'].includes(modemSign(modem).kind)).length;
    return html`
        <${Card} title=${w.rack} aside=${html`${w.rackSum(ready, all.length)} · <${Link} to="/modems">${w.rackAll}<//>`}>
            <div class=${many ? 'slots are-many' : 'slots'}>${all.map((modem) => html`<${Slot} key=${modem.name} modem=${modem} small=${many} />`)}</div>
        <//>`;
}
