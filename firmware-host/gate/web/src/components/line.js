/** A line over time, in SVG, with a sentence for those who do not see it. */
import {html} from '../html.js';
import {count} from '../format.js';
import {WIDTH, known, topOf} from './bars.js';

/** Points of a line; gaps where a value is null. `stairs` keeps a value until the next one. */
function pathOf(values, low, high, height, stairs) {
    const step = WIDTH / Math.max(1, values.length - 1);
    const span = high - low || 1;
    let path = '';
    let open = false;
    for (const [at, value] of values.entries()) {
        if (value === null || value === undefined) {
            open = false;
            continue;
        }
        const x = (at * step).toFixed(1);
        const y = (height - 2 - ((value - low) / span) * (height - 4)).toFixed(1);
        path += open ? (stairs ? `H${x}V${y}` : `L${x} ${y}`) : `M${x} ${y}h0.1`;
        open = true;
    }
    return path;
}

/** A line over time. `unit` follows the numbers of its scale. */
export function Line({values, low, high, ends = [], height = 96, text, unit = '', stairs, kind = 'busy'}) {
    const there = known(values);
    const bottom = low ?? Math.min(0, ...there);
    const top = high ?? topOf(there);
    return html`
        <figure class="chart">
            <div class="chart-top"><span>${count(top)}${unit}</span></div>
            <svg viewBox=${`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" role="img" aria-label=${text} height=${height}>
                <line class="rule" x1="0" x2=${WIDTH} y1="0.5" y2="0.5" /><line class="rule" x1="0" x2=${WIDTH} y1=${height / 2} y2=${height / 2} />
                <line class="axis" x1="0" x2=${WIDTH} y1=${height - 0.5} y2=${height - 0.5} />
                <path class=${`line line-${kind}`} d=${pathOf(values, bottom, top, height, stairs)} vector-effect="non-scaling-stroke" />
            </svg>
            <figcaption><span>${ends[0]}</span>${bottom !== 0 && html`<span>${count(bottom)}${unit}</span>`}<span>${ends[1]}</span></figcaption>
        </figure>`;
}
