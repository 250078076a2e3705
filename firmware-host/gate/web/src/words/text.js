/** Texts around texts of people. */

export const none = 'Without text';
export const hidden = 'This character is invisible, or changes how others look.';
export const all = (length) => `Show all ${length.toLocaleString('en')} characters`;
export const octets = (size) => `${size.toLocaleString('en')} octets of data`;
