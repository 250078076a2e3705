/// Finds the end of a request's head and refuses heads that two parsers would read differently.
///
/// Source:  RFC 9112 2.2, 5.2; CVE-2023-30589 (a lone CR taken for a line end).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace smsrack::wire {

class HeadScan {
public:
    enum class Found : std::uint8_t { nothing, end, fault };

    /// Looks at the octets in front of `input` up to the end of the head; `taken` says how many it
    /// has looked at.
    [[nodiscard]] Found scan(std::string_view input, std::size_t& taken);

    /// After fault: what is wrong.
    [[nodiscard]] std::string_view fault() const { return fault_; }

    /// True until the first octet of a request line.
    [[nodiscard]] bool at_rest() const { return place_ == Place::before; }

private:
    enum class Place : std::uint8_t { before, before_cr, line, line_cr, line_start, end_cr };

    [[nodiscard]] Found step(char c);
    [[nodiscard]] Found fail(std::string_view reason);

    Place place_ = Place::before;
    std::string_view fault_;
};

}  // namespace smsrack::wire
