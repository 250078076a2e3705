/// What is wrong with one line of input, as the JSON object that answers it.
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

[[nodiscard]] LineError line_error(const pdu::PduError& error);

/// Appends {"error":{"code":...,"message":...,"offset":...}}.
void append_error(std::string& out, const LineError& error);

}  // namespace smsrack::tools
