/// One reading of one place of a memory: is what came whole?
///
/// It is whole where the length in the +CMGR header and the PDU fit (3GPP TS 27.005 4.2). Anything else
/// is what a URC or a UART that lost octets made of it, and the place must be read again before it may be
/// erased.
/// Threads: the line's thread.
#pragma once

#include <cstddef>
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

}  // namespace smsrack::gsm
