/// One AT command and what its answer looks like: data, so that scripts are tables.
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
    std::string_view prefix =
        {};  ///< of its information lines ("+CREG:"); lives as long as the program
    std::chrono::milliseconds timeout = std::chrono::seconds(5);
    Takes takes = Takes::nothing;
    Ends ends = Ends::at_final_result;
    /// URCs do not make it longer.
    std::chrono::milliseconds silence = std::chrono::milliseconds(100);
    bool prompt = false;  ///< a prompt comes before the final result
    bool (*is_answer)(std::string_view line) =
        nullptr;  ///< tells an answer from a URC with the same prefix
};

/// True when an information line belongs to the answer, so that an OK before it is another command's.
[[nodiscard]] constexpr bool has_information(const Command& command) {
    return !command.prefix.empty() || command.takes == Takes::text;
}

}  // namespace smsrack::at
