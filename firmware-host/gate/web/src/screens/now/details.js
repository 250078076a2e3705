/** What is below the first figures of Now. */
import {html} from '../../html.js';
import {Conversations} from './conversations.js';
import {Failures} from './failures.js';
import {Levels} from './levels.js';
import {Traffic} from './traffic.js';

export const NowDetails = ({status}) => html`
    <div class="grid is-wide"><${Traffic} /><${Failures} /><${Levels} status=${status} /><${Conversations} /></div>`;
