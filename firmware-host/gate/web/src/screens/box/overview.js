/** Versions, slots, disk, clock, memory; and what the doctor finds. */
import {Advice, Badge, Card, Facts, Meter, StateView, Time} from '../../components/index.js';
import {duration, octets} from '../../format.js';
import {html} from '../../html.js';
import {useResource} from '../../resource.js';
import * as w from '../../words/box.js';
import {Fleet} from './fleet.js';

const WELL_SHOWN = 24;  // more of them say nothing
const CLOCK_OFF_S = 5; // a difference to this computer that is worth a word

function Share({free, total}) {
    if (free === null || total === null) return null;
    const used = 1 - free / total;
    return html`${w.ofTotal(octets(free), octets(total))}<br /><${Meter} share=${used} text=${w.used(used)} />`;
}

function Clock({clock, readAt}) {
    const off = Math.round((new Date(clock.now).getTime() - readAt) / 1000);
    return html`<${Time} at=${clock.now} seconds />
        ${Math.abs(off) > CLOCK_OFF_S && html`<br /><${Badge} kind="warn">${w.ahead(off)}<//>`}
        ${!clock.believed && html`<br /><span>${w.clockWaits}</span>`}`;
}

function Machine() {
    const box = useResource('v1/box', {every: 10});
    const f = w.facts;
    return html`
        <${Card} title=${w.machine}>
            <${StateView} of=${{...box, optional: true}}>${(data) => html`<${Facts} of=${[
                [f.version, data.version],
                ...(data.slots ?? []).map((slot) => [f.slot(slot.slot), html`${slot.version ?? w.empty} ${slot.booted && html`<${Badge} kind="ok">${w.running}<//>`}`]),
                [f.disk, html`<${Share} free=${data.disk.free_bytes} total=${data.disk.total_bytes} />`],
                [f.clock, html`<${Clock} clock=${data.clock} readAt=${box.at} />`],
                [f.uptime, duration(data.uptime_s)], [f.machineUptime, duration(data.machine_uptime_s)],
                [f.memory, octets(data.memory.service_bytes)], [f.memoryFree, html`<${Share} free=${data.memory.available_bytes} total=${data.memory.total_bytes} />`],
                [f.schema, data.schema],
            ]} />`}<//>
        <//>`;
}

function Findings() {
    const doctor = useResource('v1/doctor', {on: ['modem.', 'service.'], every: 10});
    const draw = ({findings}) => {
        const well = findings.filter((one) => one.ok);
        const bad = findings.filter((one) => !one.ok);
        return html`
            <p class="muted">${bad.length === 0 ? w.doctorWell : w.doctorBad(bad.length)}</p>
            <ul class="findings">${[...bad, ...well.slice(0, WELL_SHOWN)].map((one) => html`
                <li key=${`${one.subject} ${one.problem}`} data-row>
                    <${Badge} kind=${one.ok ? 'ok' : 'bad'}>${one.ok ? w.ok : w.found}<//>
                    <div><strong>${one.subject}</strong> <span>${one.text}</span>${!one.ok && one.advice && html`<p class="muted"><${Advice} text=${one.advice} /></p>`}</div>
                </li>`)}</ul>
            ${well.length > WELL_SHOWN && html`<p class="muted above">${w.doctorMore(well.length - WELL_SHOWN)}</p>`}`;
    };
    return html`<${Card} title=${w.doctor}><${StateView} of=${{...doctor, optional: true}}>${draw}<//><//>`;
}

export const Overview = () => html`<${Machine} /><${Fleet} /><${Findings} />`;
