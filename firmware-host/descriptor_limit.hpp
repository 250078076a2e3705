/// As many descriptors as the system lets us have: the soft limit is often 1,024, fewer than connections and modems need.
///
/// Errors:  none: what the hard limit allows is enough for the defaults, or the log says later what could not be opened.
#pragma once

namespace smsrack::host {

void raise_descriptor_limit();

}  // namespace smsrack::host
