/// Splits a stream of octets into PDUs.
///
/// Bound:   one PDU of frame_max octets is held.
/// Threads: one.
/// Source:  SMPP 3.4 3.2, 5.1.1.
#pragma once

#include "src/smpp/command.hpp"
#include "src/smpp/status.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::smpp {

inline constexpr std::size_t header_octets = 16;
inline constexpr std::size_t frame_max = 68U << 10U;

struct Header {
    Command command = Command::generic_nack;
    Status status = Status::ok;
    std::uint32_t sequence = 0;

    bool operator==(const Header&) const = default;
};

class Frames {
public:
    /// Takes a piece of the stream.
    void add(std::string_view octets);

    /// The next whole PDU, valid until the next call of add(); nullopt: its octets are not all there. Unexpected, with what was read of the header: the length can't be, so nothing after
    /// it can be read either.
    [[nodiscard]] std::expected<std::optional<std::string_view>, Header> next();

    /// Octets of a PDU that has begun.
    [[nodiscard]] std::size_t waiting() const { return held_.size() - at_; }

private:
    std::string held_;
    std::size_t at_ = 0;  // what is before it was given out
};

/// Of a PDU of at least header_octets.
[[nodiscard]] Header header_of(std::string_view frame);

}  // namespace smsrack::smpp
