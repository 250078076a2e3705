// All screens: where each is, and how it looks when it has nothing.

/** `at` gives the path, from what fill() made; `empty`: it has a state without content. */
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
  { name: 'Programs', at: () => '/programs' },
  { name: 'Box', at: () => '/box' },
];

