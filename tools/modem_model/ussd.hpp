/// The answer of the modelled network to a USSD code.
///
/// Source:  3GPP TS 27.007 5.5 (+CSCS), 7.15 (+CUSD); TS 23.038 5.
#pragma once

#include <string>
#include <string_view>

namespace smsrack::modem_sim {

/// The +CUSD line; empty: the network stays silent. `hex`: +CSCS is "HEX", so both texts are octets in
/// hexadecimal.
[[nodiscard]] std::string ussd_answer(std::string_view code, bool hex);

}  // namespace smsrack::modem_sim
