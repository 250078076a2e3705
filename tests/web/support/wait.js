// Waiting for what will be so, with a bound and the reason in the error.

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Until `condition()` gives something true, which is returned. An exception of it counts as: not yet. */
export async function wait(what, condition, seconds = 20) {
  const deadline = Date.now() + seconds * 1000;
  for (let last; ; await pause(50)) {
    try {
      const value = await condition();
      if (value) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`${what}: not so after ${seconds} s${last ? ` (${last.message})` : ''}`);
  }
}
