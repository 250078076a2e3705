/** The effective configuration, with secrets masked. */
import {Card, StateView} from '../../components/index.js';
import {html} from '../../html.js';
import {useResource} from '../../resource.js';
import * as w from '../../words/box.js';

export function Configuration() {
    const config = useResource('v1/config', {on: ['service.'], every: 30});
    return html`
        <${Card} title=${w.config}>
            <${StateView} of=${{...config, optional: true}}>${(data) => html`
                <p class="muted">${w.configLead(data.file)}</p><pre class="listing" tabindex="0" aria-label=${w.config}>${data.toml}</pre>`}<//>
        <//>`;
}
