/** The screens that are read after the first one: the name of each is that in `screens/index.js`. */
import './style/more.css';

export {NowDetails} from './screens/now/details.js';
export {Modems} from './screens/modems.js';
export {Modem} from './screens/modem.js';
export {Scaling} from './screens/scaling.js';
export {Box} from './screens/box.js';
export {Programs} from './screens/programs.js';
export {SmppAccount} from './screens/programs/smpp_account.js';
export {Webhook} from './screens/programs/webhook.js';
export {Messages} from './screens/messages.js';
export {Message} from './screens/message.js';
export {Inbox} from './screens/inbox.js';
export {Send} from './screens/send.js';
export {Batch, Batches} from './screens/batches.js';
export {Trigger, Triggers} from './screens/triggers.js';
