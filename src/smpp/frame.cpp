#include "src/smpp/frame.hpp"

#include "src/smpp/reader.hpp"

namespace smsrack::smpp {

Header header_of(std::string_view frame) {
    Reader reader(frame);
    (void)reader.four("command_length");
    const auto command = static_cast<Command>(reader.four("command_id"));
    const auto status = static_cast<Status>(reader.four("command_status"));
    return {.command = command, .status = status, .sequence = reader.four("sequence_number")};
}

void Frames::add(std::string_view octets) {
    held_.erase(0, at_);
    at_ = 0;
    held_ += octets;
}

std::expected<std::optional<std::string_view>, Header> Frames::next() {
    constexpr std::size_t length_octets = 4;
    const std::string_view left = std::string_view(held_).substr(at_);
    if (left.size() < length_octets) {
        return std::nullopt;
    }
    const std::size_t length = Reader(left).four("command_length");
    if (length < header_octets || length > frame_max) {
        return std::unexpected(header_of(left));
    }
    if (left.size() < length) {
        return std::nullopt;
    }
    at_ += length;
    return left.substr(0, length);
}

}  // namespace smsrack::smpp
