/** What failed on one modem in a day, by cause. */
import {withQuery} from '../../api.js';
import {Card, Empty, StateView} from '../../components/index.js';
import {html} from '../../html.js';
import {useResource} from '../../resource.js';
import * as w from '../../words/modems.js';
import {Causes} from '../now/cause.js';

const DAY_MS = 86_400_000;
const READ_MAX = 1000; // newest failures of the whole rack

export function ModemCauses({name}) {
    const path = () => withQuery('v1/messages', {state: 'failed', from: new Date(Date.now() - DAY_MS).toISOString(), limit: READ_MAX});
    const failed = useResource(path, {key: 'failed in a day', on: ['message.failed'], every: 60});
    const mine = (data) => data.messages.filter((message) => message.modem === name);
    return html`
        <${Card} title=${w.causes}>
            <${StateView} of=${failed} isEmpty=${(data) => mine(data).length === 0} empty=${html`<${Empty} title=${w.noCauses} />`}>${(data) => html`
                <${Causes} caption=${w.causes} messages=${mine(data)} />`}<//>
        <//>`;
}
