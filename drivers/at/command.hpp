/// One AT command and the form of its answer, as data, so that scripts are tables.
///
/// Unit:    `timeout` from the moment the command is written to its final result; no input extends
/// it.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace smsrack::at {

/// What lines without the prefix may belong to the answer.
enum class Takes : std::uint8_t {
    nothing,
    text,  ///< AT+CGSN answers with the bare number
    pdu,   ///< after each line with the prefix one line of hexadecimal digits (+CMGR, +CMGL)
};

enum class Ends : std::uint8_t {
    at_final_result,
    /// Or Command::silence after its last line was whole: AT+CPIN? of a WAVECOM may come without OK, and
    /// a UART may lose the OK behind a PDU that is whole.
    at_silence_too,
};

struct Command {
    std::string_view text = {};  ///< without CR; copied by the channel
    /// Of its information lines ("+CREG:"); valid as long as the program.
    std::string_view prefix = {};
    std::chrono::milliseconds timeout = std::chrono::seconds(5);
    Takes takes = Takes::nothing;
    Ends ends = Ends::at_final_result;
    /// URCs do not make it longer.
    std::chrono::milliseconds silence = std::chrono::milliseconds(100);
    bool prompt = false;  ///< a prompt comes before the final result
    /// Distinguishes an answer from a URC with the same prefix.
    bool (*is_answer)(std::string_view line) = nullptr;
};

/// True when an information line belongs to the answer, so that an OK before it is not this
/// command's.
[[nodiscard]] constexpr bool has_information(const Command& command) {
    return !command.prefix.empty() || command.takes == Takes::text;
}

}  // namespace smsrack::at
