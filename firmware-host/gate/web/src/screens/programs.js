/** Programs: clients, SMPP accounts, webhooks, tokens. */
import {Page} from '../components/index.js';
import {html} from '../html.js';
import {can} from '../store.js';
import {words} from '../words/index.js';
import * as w from '../words/programs.js';
import {Clients} from './programs/clients.js';
import {SmppAccounts} from './programs/smpp_accounts.js';
import {Tokens} from './programs/tokens.js';
import {Webhooks} from './programs/webhooks.js';

export const Programs = () => html`
    <${Page} title=${words.titles.programs} lead=${w.lead}>
        <${Clients} /><${SmppAccounts} /><${Webhooks} />${can('admin') && html`<${Tokens} />`}
    <//>`;
