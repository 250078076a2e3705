import {html} from '../html.js';
import {words} from '../words/index.js';

/** Below a long list: how much of it is shown, and a button for more. `of` is from usePages. */
export const More = ({of, total = null}) => of.hasMore && html`
    <div class="more">
        <span class="muted">${words.shown(of.rows.length.toLocaleString('en'), total === null ? null : total.toLocaleString('en'))}</span>
        <button type="button" disabled=${of.loadingMore} onClick=${of.more}>${words.showMore}</button>
    </div>`;
