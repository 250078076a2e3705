/// One reading (+CMGR) of one place of a memory: is what came whole, and what follows?
///
/// It is whole where the length in the header and the PDU fit. Anything else is what a URC or a
/// UART that lost octets made of it, and the place must be read again before it may be erased.
/// Readings that differ were torn on their way; equal ones are what the modem has. A refusal passes
/// with time, or the next sweep finds the place again.
/// Source:  3GPP TS 27.005 3.2.5 (321: there is nothing), 4.2.
#pragma once

#include "drivers/at/final_result.hpp"
#include "drivers/gsm/inbox/place_trouble.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace smsrack::gsm {

class PduReading {
public:
    static constexpr std::size_t pieces_max = 1024;  // of one PDU there are 352 at most

    void begin();
    void take_header(std::string_view line);
    void take_pdu(std::string_view line);
    /// A line that nothing explains.
    void take_piece(std::string_view line);

    [[nodiscard]] bool has_header() const { return !header_.empty(); }
    [[nodiscard]] bool is_whole() const;
    /// The modem has nothing there.
    [[nodiscard]] bool is_empty() const;
    /// What a program stored there to send (<stat> 2 and 3), not what came in.
    [[nodiscard]] bool is_to_send() const;
    /// All that came of it: two equal readings of a place have the same.
    [[nodiscard]] std::string text() const { return header_ + '\n' + pdu_ + '\n' + pieces_; }
    /// The octets of the PDU; where it has no even number of digits, all characters that came.
    [[nodiscard]] std::string octets() const;

private:
    std::string header_;
    std::string pdu_;
    std::string pieces_;  // lines that nothing explains, <= pieces_max characters
};

enum class ReadVerdict : std::uint8_t {
    whole,
    unreadable,  ///< torn, and the same again and again: it is kept as it is
    again,       ///< torn or refused: after ReadEnd::pause
    doubtful,    ///< an OK alone, which may be the late one of the command before
    gone,        ///< nothing is there
    not_ours,    ///< stored to be sent, not received
    given_up,    ///< refused too often: the next sweep sees whether it is still there
};

struct ReadEnd {
    ReadVerdict verdict = ReadVerdict::whole;
    std::chrono::milliseconds pause = std::chrono::milliseconds::zero();
};

/// To read one place that is refused; then it is given up.
inline constexpr int refused_reads_max = 3;

/// `result` is not timed_out. `trouble` counts the readings of this place that were no good.
[[nodiscard]] ReadEnd judge_reading(const PduReading& reading, at::FinalResult result, Place place,
                                    PlaceTrouble& trouble);

/// 3GPP TS 27.005 3.2.5: invalid memory index; there is nothing (any more).
[[nodiscard]] bool is_gone(at::FinalResult result);

}  // namespace smsrack::gsm
