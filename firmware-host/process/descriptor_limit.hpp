/// Raises the soft limit of file descriptors, often 1,024, to the hard limit: connections and
/// modems may need more.
///
/// Errors:  none: what the hard limit allows is enough for the defaults, or the log says later what could not be opened.
#pragma once

namespace smsrack::host {

void raise_descriptor_limit();

}  // namespace smsrack::host
