/** What screens are made of. */
export {Action, useAction} from './action.js';
export {Badge, Shape, StateBadge} from './badge.js';
export {Bars, Line, Meter, Signal} from './charts.js';
export {Dialog, confirm} from './dialog.js';
export {Empty, Failure, Later, Loading, More, StateView} from './state_view.js';
export {Facts, Table} from './table.js';
export {Ago, Time} from './time.js';
export {announce, toast} from './toast.js';
export {Card, Link, Page} from './page.js';
