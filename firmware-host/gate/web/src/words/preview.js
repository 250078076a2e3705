/** How many segments a text takes, while one types; for Inbox and Send. */

export const alphabet = {gsm7: 'GSM 7-bit', ucs2: 'Unicode', data: '8-bit data'};
export const characters = (used, room) => `${used} of ${room} characters`;
