/** Bars over time, in SVG, with a sentence for those who do not see them. */
import {html} from '../html.js';
import {count} from '../format.js';

export const WIDTH = 600;
export const known = (values) => values.filter((value) => value !== null && value !== undefined);

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
