/// What a message keeps of its submit_sm until its receipt is written: the service stores it as the
/// message's note, and gives it back with each event.
///
/// Unit:    words with single blanks between them, addresses in hexadecimal; the last is text as it is.
/// Bound:   512 octets: 20 characters of text, two addresses, a service type.
/// Errors:  nullopt: not written by this gateway.
#pragma once

#include "src/base/clock.hpp"
#include "src/smpp/layout.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace smsrack::smpp {

struct Note {
    std::uint8_t registered_delivery = 0;
    std::string service_type = {};
    Address source = {};
    Address destination = {};
    std::optional<std::uint16_t> reference = {};  ///< user_message_reference
    WallTime submitted = {};
    std::string text = {};  ///< its first characters, UTF-8

    bool operator==(const Note&) const = default;
};

/// Characters of a text that a receipt shows.
inline constexpr std::size_t shown_characters = 20;

[[nodiscard]] std::string text_of_note(const Note& note);
[[nodiscard]] std::optional<Note> note_of(std::string_view text);

}  // namespace smsrack::smpp
