#include "src/smpp/note.hpp"

#include "src/base/hex.hpp"

#include <array>
#include <charconv>
#include <fmt/format.h>

namespace smsrack::smpp {
namespace {

constexpr std::string_view front = "smpp ";

/// The next word, which a blank ends; nullopt: there is none.
std::optional<std::string_view> word(std::string_view& rest) {
    const std::size_t end = rest.find(' ');
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view taken = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    return taken;
}

template <typename Number>
bool read_number(std::string_view& rest, Number& out) {
    const auto text = word(rest);
    if (!text) {
        return false;
    }
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), out);
    return error == std::errc() && end == text->data() + text->size();
}

bool read_text(std::string_view& rest, std::string& out) {
    const auto text = word(rest);
    auto decoded = text ? octets_of_hex(*text) : std::nullopt;
    if (decoded) {
        out = *std::move(decoded);
    }
    return decoded.has_value();
}

bool read_address(std::string_view& rest, Address& out) {
    return read_number(rest, out.ton) && read_number(rest, out.npi) && read_text(rest, out.text);
}

/// -1: there is none.
bool read_reference(std::string_view& rest, std::optional<std::uint16_t>& out) {
    std::int32_t number = 0;
    if (!read_number(rest, number)) {
        return false;
    }
    if (number >= 0) {
        out = static_cast<std::uint16_t>(number);
    }
    return true;
}

bool read_time(std::string_view& rest, WallTime& out) {
    std::int64_t ms = 0;
    if (!read_number(rest, ms)) {
        return false;
    }
    out = WallTime(std::chrono::milliseconds(ms));
    return true;
}

std::string text_of(const Address& address) {
    return fmt::format("{} {} {}", address.ton, address.npi, hex_of(address.text));
}

}  // namespace

std::string text_of_note(const Note& note) {
    return fmt::format("{}{} {} {} {} {} {} {}", front, note.registered_delivery,
                       hex_of(note.service_type), text_of(note.source), text_of(note.destination),
                       note.reference ? int{*note.reference} : -1,
                       note.submitted.time_since_epoch().count(), note.text);
}

std::optional<Note> note_of(std::string_view text) {
    if (!text.starts_with(front)) {
        return std::nullopt;
    }
    text.remove_prefix(front.size());
    Note note;
    const bool whole = read_number(text, note.registered_delivery) &&
                       read_text(text, note.service_type) && read_address(text, note.source) &&
                       read_address(text, note.destination) &&
                       read_reference(text, note.reference) && read_time(text, note.submitted);
    if (!whole) {
        return std::nullopt;
    }
    note.text = text;
    return note;
}

}  // namespace smsrack::smpp
