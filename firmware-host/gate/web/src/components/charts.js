/** Small charts in SVG. Each has a sentence for those who do not see it. */
import {html} from '../html.js';
import {count} from '../format.js';

const WIDTH = 600;
const known = (values) => values.filter((value) => value !== null && value !== undefined);

/** A round number at or above the highest value, for the top of a scale. */
export function topOf(values) {
    const highest = Math.max(1, ...known(values));
    const size = 10 ** Math.floor(Math.log10(highest));
    return [1, 2, 5, 10].map((step) => step * size).find((step) => step >= highest);
}

/**
 * Stacked bars. `series`: [{name, values, kind}], each value an interval; `labels[n]` names interval
 * n for the tooltip; `ends` are the texts below the left and the right end.
 */
export function Bars({series, labels, ends = [], height = 96, text}) {
    const length = series[0].values.length;
    const sums = series[0].values.map((_, at) => series.reduce((sum, one) => sum + (one.values[at] ?? 0), 0));
    const top = topOf(sums);
    const step = WIDTH / length;
    const bar = (at) => {
        let below = 0;
        return series.map((one) => {
            const tall = ((one.values[at] ?? 0) / top) * height;
            below += tall;
            return tall > 0 && html`<rect class=${`fill-${one.kind}`} x=${at * step + step * 0.12} width=${step * 0.76} y=${height - below} height=${tall} />`;
        });
    };
    return html`
        <figure class="chart">
            <div class="chart-top"><span>${count(top)}</span></div>
            <svg viewBox=${`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" role="img" aria-label=${text} height=${height}>
                <line class="rule" x1="0" x2=${WIDTH} y1="0.5" y2="0.5" /><line class="rule" x1="0" x2=${WIDTH} y1=${height / 2} y2=${height / 2} />
                <line class="axis" x1="0" x2=${WIDTH} y1=${height - 0.5} y2=${height - 0.5} />
                ${sums.map((_, at) => html`<g key=${at}><title>${labels?.(at)}</title>
                    <rect class="hover" x=${at * step} width=${step} y="0" height=${height} />${bar(at)}</g>`)}
            </svg>
            <figcaption><span>${ends[0]}</span>
                <span class="legend">${series.map((one) => html`<span key=${one.name}><i class=${`dot fill-${one.kind}`} />${one.name}</span>`)}</span>
                <span>${ends[1]}</span></figcaption>
        </figure>`;
}

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

/** A share as a bar, such as of a disk or a promise. Above `warnAt` it is amber, above 1 red. */
export function Meter({share, warnAt = 0.8, text}) {
    const kind = share > 1 ? 'bad' : share > warnAt ? 'warn' : 'ok';
    return html`<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label=${text}>
        <rect class="fill-track" width="100" height="6" /><rect class=${`fill-${kind}`} width=${Math.max(share > 0 ? 1.5 : 0, Math.min(100, share * 100))} height="6" /></svg>`;
}

/** Signal as four bars, as phones show it. */
export function Signal({dbm}) {
    const bars = dbm === null || dbm === undefined ? 0 : dbm >= -73 ? 4 : dbm >= -83 ? 3 : dbm >= -93 ? 2 : 1;
    return html`<svg class="signal" viewBox="0 0 18 12" width="18" height="12" aria-hidden="true">
        ${[0, 1, 2, 3].map((at) => html`<rect key=${at} class=${at < bars ? 'on' : 'off'} x=${at * 5} width="3" y=${9 - at * 3} height=${3 + at * 3} />`)}</svg>`;
}
