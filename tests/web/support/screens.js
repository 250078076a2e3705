// All screens: where each is, and how it looks when it has nothing.
import { fill, fill_scaling, filled_plan, scaling_plan } from './filled.js';

const filled = ['filled', filled_plan, fill];

/** `at` gives the path, from what fill() made; `empty`: it has a state without content; `rack`: of shared_rack, where that is not the filled one. */
export const screens = [
  { name: 'Now', at: () => '/' },
  { name: 'Modems', at: () => '/modems' },
  { name: 'Modem', at: () => '/modems/m0' },
  { name: 'Messages', at: () => '/messages', empty: /no message/i },
  { name: 'Message', at: (made) => `/messages/${made.failed ?? 1}` },
  { name: 'Inbox', at: () => '/inbox', empty: /nothing was received/i },
  { name: 'Conversation', at: () => `/inbox/${encodeURIComponent('+33600000401')}` },
  { name: 'Send', at: () => '/send' },
  { name: 'Send from a file', at: () => '/send?from=file' },
  { name: 'Batches', at: () => '/batches', empty: /no batch/i },
  { name: 'Batch', at: () => '/batches/later' },
  { name: 'Triggers', at: () => '/triggers', empty: /no trigger/i },
  { name: 'Trigger', at: () => '/triggers/welcome' },
  { name: 'Scaling', at: () => '/scaling' },
  { name: 'Scaling at work', at: () => '/scaling', rack: ['scaling', scaling_plan, fill_scaling] },
  { name: 'Programs', at: () => '/programs' },
  { name: 'SMPP account', at: () => '/programs/smpp/bank' },
  { name: 'Webhook', at: () => '/programs/webhooks/crm' },
  { name: 'Box', at: () => '/box' },
  { name: 'Configuration', at: () => '/box?part=config' },
  { name: 'Audit', at: () => '/box?part=audit' },
  { name: 'Log', at: () => '/box?part=log' },
].map((screen) => ({ rack: filled, ...screen }));

