/** The box: versions, disk, clock, findings, configuration, audit, log. */
import {Page} from '../components/index.js';
import {hrefOf} from '../base.js';
import {html} from '../html.js';
import {place} from '../router.js';
import {can} from '../store.js';
import * as w from '../words/box.js';
import {words} from '../words/index.js';
import {AuditList} from './box/audit.js';
import {Configuration} from './box/configuration.js';
import {Log} from './box/log.js';
import {Overview} from './box/overview.js';

const parts = {overview: Overview, config: Configuration, audit: AuditList, log: Log};

/** Parts of the screen as links, since each has an address: `/box?part=log`. */
function Parts({now}) {
    return html`<nav class="parts" aria-label=${w.sectionsName}>${Object.keys(parts).map((part) => html`
        <a key=${part} href=${hrefOf(part === 'overview' ? '/box' : `/box?part=${part}`)} aria-current=${part === now ? 'page' : undefined}>${w.sections[part]}</a>`)}</nav>`;
}

export function Box() {
    const wanted = place.value.query.get('part');
    const part = can('admin') && parts[wanted] ? wanted : 'overview';
    return html`
        <${Page} title=${words.titles.box}>
            ${can('admin') && html`<${Parts} now=${part} />`}
            <${parts[part]} />
        <//>`;
}
