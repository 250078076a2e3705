/** Icons of the screens, drawn with lines of one width. */
import {html} from '../html.js';

const paths = {
    now: 'M3 12h4l3-8 4 16 3-8h4',
    modems: 'M4 20v-4M9 20v-8M14 20V8M19 20V4',
    messages: 'M4 5h16v11H9l-5 4z',
    inbox: 'M4 13V5h16v8M4 13v6h16v-6M4 13h5a3 3 0 0 0 6 0h5',
    send: 'M4 12 20 4l-5 16-3-6z',
    batches: 'M4 8h16v12H4zM7 4h10M6 6h12',
    triggers: 'M13 3 5 14h6l-1 7 8-11h-6z',
    scaling: 'M4 20h4v-6h4V9h4V4h4',
    programs: 'M8 7 3 12l5 5M16 7l5 5-5 5M13 5l-2 14',
    box: 'M4 7l8-4 8 4v10l-8 4-8-4zM4 7l8 4 8-4M12 11v10',
    more: 'M5 12h.01M12 12h.01M19 12h.01',
    search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14M16 16l5 5',
    sun: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5',
    moon: 'M20 14a8 8 0 1 1-10-10 7 7 0 0 0 10 10',
    auto: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18M12 3v18M12 7h5M12 12h8M12 17h5',
    out: 'M14 4h5v16h-5M3 12h11M10 8l4 4-4 4',
    keys: 'M3 7h18v11H3zM7 11h.01M11 11h.01M15 11h.01M8 15h8',
};

export const Icon = ({of}) => html`<svg class="icon-line" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true"><path d=${paths[of] ?? paths.now} /></svg>`;
