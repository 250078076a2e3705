/// Writes a PDU of SMPP as one JSON object, as `smsrack pdu decode --smpp` prints it.
///
/// A password is shown as whether there is one.
#pragma once

#include "src/smpp/coding.hpp"
#include "src/smpp/pdu.hpp"

#include <string>

namespace smsrack::tools {

/// `by_default`: what data_coding 0 means.
void append_smpp(std::string& out, const smpp::Pdu& pdu, smpp::Coding by_default);

}  // namespace smsrack::tools
