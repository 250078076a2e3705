/** What screens are made of. The first screen imports the files themselves, so that it gets no more. */
export {Action, useAction} from './action.js';
export {Advice} from './advice.js';
export {Badge, Shape, StateBadge} from './badge.js';
export {Bars} from './bars.js';
export {Dialog, confirm} from './dialog.js';
export {Facts} from './facts.js';
export {Line} from './line.js';
export {Meter} from './meter.js';
export {More} from './more.js';
export {Card, Link, Page} from './page.js';
export {Signal} from './signal.js';
export {Empty, Failure, Later, Loading, StateView} from './state_view.js';
export {Table} from './table.js';
export {Ago, Time} from './time.js';
export {announce, toast} from './toast.js';
