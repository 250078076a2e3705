/** The screens that are read after the first one: the name of each is that in `screens/index.js`. */
import './style/more.css';

export {NowDetails} from './screens/now/details.js';
export {Modems} from './screens/modems.js';
export {Modem} from './screens/modem.js';
export {Scaling} from './screens/scaling.js';
export {Box} from './screens/box.js';
export {Programs} from './screens/programs.js';
export {Webhook} from './screens/programs/webhook.js';
