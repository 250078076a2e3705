#include "src/pdu/alphabet/dcs.hpp"

#include <doctest/doctest.h>

#include <optional>

namespace smsrack::pdu {
namespace {

/// What 23.038 4 says, by the bits that matter: the first row that fits counts.
struct Row {
    std::uint8_t mask;
    std::uint8_t bits;
    const char* so;
    Alphabet alphabet = Alphabet::gsm7;
    bool has_class = false;
    bool compressed = false;
    bool auto_delete = false;
    bool reserved = false;
    bool waiting = false;
    bool store = false;
};

constexpr Row rows[] = {
    {0x8C, 0x0C, "reserved alphabet", Alphabet::gsm7, false, false, false, true},
    {0xFC, 0x00, "00 0 0 gsm7"},
    {0xFC, 0x04, "00 0 0 data8", Alphabet::data8},
    {0xFC, 0x08, "00 0 0 ucs2", Alphabet::ucs2},
    {0xFC, 0x10, "00 0 1 gsm7", Alphabet::gsm7, true},
    {0xFC, 0x14, "00 0 1 data8", Alphabet::data8, true},
    {0xFC, 0x18, "00 0 1 ucs2", Alphabet::ucs2, true},
    {0xFC, 0x20, "00 1 0 gsm7", Alphabet::gsm7, false, true},
    {0xFC, 0x24, "00 1 0 data8", Alphabet::data8, false, true},
    {0xFC, 0x28, "00 1 0 ucs2", Alphabet::ucs2, false, true},
    {0xFC, 0x30, "00 1 1 gsm7", Alphabet::gsm7, true, true},
    {0xFC, 0x34, "00 1 1 data8", Alphabet::data8, true, true},
    {0xFC, 0x38, "00 1 1 ucs2", Alphabet::ucs2, true, true},
    {0xFC, 0x40, "01 0 0 gsm7", Alphabet::gsm7, false, false, true},
    {0xFC, 0x44, "01 0 0 data8", Alphabet::data8, false, false, true},
    {0xFC, 0x48, "01 0 0 ucs2", Alphabet::ucs2, false, false, true},
    {0xFC, 0x50, "01 0 1 gsm7", Alphabet::gsm7, true, false, true},
    {0xFC, 0x54, "01 0 1 data8", Alphabet::data8, true, false, true},
    {0xFC, 0x58, "01 0 1 ucs2", Alphabet::ucs2, true, false, true},
    {0xFC, 0x60, "01 1 0 gsm7", Alphabet::gsm7, false, true, true},
    {0xFC, 0x64, "01 1 0 data8", Alphabet::data8, false, true, true},
    {0xFC, 0x68, "01 1 0 ucs2", Alphabet::ucs2, false, true, true},
    {0xFC, 0x70, "01 1 1 gsm7", Alphabet::gsm7, true, true, true},
    {0xFC, 0x74, "01 1 1 data8", Alphabet::data8, true, true, true},
    {0xFC, 0x78, "01 1 1 ucs2", Alphabet::ucs2, true, true, true},
    {0xC0, 0x80, "1000 to 1011", Alphabet::gsm7, false, false, false, true},
    {0xF0, 0xC0, "waiting, discard", Alphabet::gsm7, false, false, false, false, true, false},
    {0xF0, 0xD0, "waiting, store", Alphabet::gsm7, false, false, false, false, true, true},
    {0xF0, 0xE0, "waiting, store, ucs2", Alphabet::ucs2, false, false, false, false, true, true},
    {0xF4, 0xF0, "1111 gsm7", Alphabet::gsm7, true},
    {0xF4, 0xF4, "1111 data8", Alphabet::data8, true},
};

const Row* row_of(unsigned raw) {
    for (const Row& row : rows) {
        if ((raw & row.mask) == row.bits) {
            return &row;
        }
    }
    return nullptr;
}

TEST_CASE("TP-DCS: all 256 octets mean what 23.038 says") {
    for (unsigned raw = 0; raw < 256; ++raw) {
        const Row* const row = row_of(raw);
        REQUIRE(row != nullptr);
        CAPTURE(raw);
        CAPTURE(row->so);
        const Dcs dcs = read_dcs(static_cast<std::uint8_t>(raw));
        CHECK(dcs.raw == raw);
        CHECK(dcs.alphabet == row->alphabet);
        const auto message_class =
            row->has_class ? std::optional(static_cast<std::uint8_t>(raw % 4)) : std::nullopt;
        CHECK(dcs.message_class == message_class);
        CHECK(dcs.compressed == row->compressed);
        CHECK(dcs.auto_delete == row->auto_delete);
        CHECK(dcs.reserved == row->reserved);
        REQUIRE(dcs.waiting.has_value() == row->waiting);
        if (dcs.waiting) {
            CHECK(dcs.waiting->kind == static_cast<WaitingKind>(raw % 4));
            CHECK(dcs.waiting->active == ((raw & 8U) != 0));
            CHECK(dcs.waiting->store == row->store);
        }
        CHECK(dcs.counts_septets() == (row->alphabet == Alphabet::gsm7 && !row->compressed));
    }
}

TEST_CASE("TP-DCS: what is made is read back") {
    for (const Alphabet alphabet : {Alphabet::gsm7, Alphabet::data8, Alphabet::ucs2}) {
        CHECK(read_dcs(make_dcs(alphabet, std::nullopt)).alphabet == alphabet);
        CHECK_FALSE(read_dcs(make_dcs(alphabet, std::nullopt)).message_class.has_value());
        for (std::uint8_t message_class = 0; message_class < 4; ++message_class) {
            const Dcs dcs = read_dcs(make_dcs(alphabet, message_class));
            CHECK(dcs.alphabet == alphabet);
            CHECK(dcs.message_class == message_class);
        }
    }
}

}  // namespace
}  // namespace smsrack::pdu
