/// What is wrong with one line of input.
#pragma once

#include "src/pdu/pdu_error.hpp"

#include <expected>
#include <string>

namespace smsrack::tools {

struct LineError {
    pdu::PduErrc code = pdu::PduErrc::empty;
    std::string message;  ///< for people; valid UTF-8
    /// From the first character that is not a blank; 0 where no place can be named.
    std::size_t offset = 0;
};

template <typename T>
using LineResult = std::expected<T, LineError>;

}  // namespace smsrack::tools
