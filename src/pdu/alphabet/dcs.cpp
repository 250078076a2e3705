#include "src/pdu/alphabet/dcs.hpp"

#include "src/base/check.hpp"

#include <array>
#include <utility>

namespace smsrack::pdu {
namespace {

constexpr std::array<std::string_view, 3> alphabet_names{"gsm7", "data8", "ucs2"};
constexpr std::array<std::string_view, 4> waiting_names{"voicemail", "fax", "email", "other"};

constexpr std::array alphabets{Alphabet::gsm7, Alphabet::data8, Alphabet::ucs2};  // by their bits

constexpr Dcs reserved_dcs(std::uint8_t raw) {
    return {.raw = raw, .reserved = true};
}

constexpr std::uint8_t class_of(std::uint8_t raw) {
    return raw & 0x03U;
}

/// Groups 00xx and 01xx.
constexpr Dcs read_general(std::uint8_t raw) {
    const std::size_t alphabet = (raw >> 2U) & 0x03U;
    if (alphabet >= alphabets.size()) {
        return reserved_dcs(raw);
    }
    Dcs dcs{.raw = raw, .alphabet = alphabets[alphabet]};
    dcs.compressed = (raw & 0x20U) != 0;
    dcs.auto_delete = (raw & 0x40U) != 0;
    if ((raw & 0x10U) != 0) {
        dcs.message_class = class_of(raw);
    }
    return dcs;
}

/// Groups 1100 (discard), 1101 (store) and 1110 (store, UCS-2).
constexpr Dcs read_waiting(std::uint8_t raw) {
    const unsigned group = raw >> 4U;
    Dcs dcs{.raw = raw, .alphabet = group == 0x0E ? Alphabet::ucs2 : Alphabet::gsm7};
    dcs.waiting = WaitingIndication{.kind = static_cast<WaitingKind>(raw & 0x03U),
                                    .active = (raw & 0x08U) != 0,
                                    .store = group != 0x0C};
    return dcs;
}

/// Group 1111.
constexpr Dcs read_class_group(std::uint8_t raw) {
    Dcs dcs{.raw = raw, .alphabet = (raw & 0x04U) != 0 ? Alphabet::data8 : Alphabet::gsm7};
    dcs.message_class = class_of(raw);
    return dcs;
}

constexpr Dcs dcs_of(std::uint8_t raw) {
    const unsigned group = raw >> 4U;
    if (group < 0x08) {
        return read_general(raw);
    }
    if (group < 0x0C) {
        return reserved_dcs(raw);
    }
    return group < 0x0F ? read_waiting(raw) : read_class_group(raw);
}

constexpr std::array<Dcs, 256> all_dcs = [] {
    std::array<Dcs, 256> all{};
    for (unsigned raw = 0; raw < all.size(); ++raw) {
        all[raw] = dcs_of(static_cast<std::uint8_t>(raw));
    }
    return all;
}();

}  // namespace

std::string_view alphabet_name(Alphabet alphabet) {
    return alphabet_names[std::to_underlying(alphabet)];
}

std::string_view waiting_kind_name(WaitingKind kind) {
    return waiting_names[std::to_underlying(kind)];
}

Dcs read_dcs(std::uint8_t raw) {
    return all_dcs[raw];
}

std::uint8_t make_dcs(Alphabet alphabet, std::optional<std::uint8_t> message_class) {
    const auto bits = static_cast<std::uint8_t>(std::to_underlying(alphabet) << 2U);
    if (!message_class) {
        return bits;
    }
    SMSRACK_CHECK(*message_class < 4);
    return static_cast<std::uint8_t>(bits | 0x10U | *message_class);
}

}  // namespace smsrack::pdu
