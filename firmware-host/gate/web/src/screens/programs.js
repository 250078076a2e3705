/** Programs: clients, webhooks, tokens. */
import {Page} from '../components/index.js';
import {html} from '../html.js';
import {can} from '../store.js';
import {words} from '../words/index.js';
import * as w from '../words/programs.js';
import {Clients} from './programs/clients.js';
import {Tokens} from './programs/tokens.js';
import {Webhooks} from './programs/webhooks.js';

export const Programs = () => html`
    <${Page} title=${words.titles.programs} lead=${w.lead}>
        <${Clients} /><${Webhooks} />${can('admin') && html`<${Tokens} />`}
    <//>`;
