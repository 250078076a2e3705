#include "src/pdu/decode.hpp"

#include "src/wire/json.hpp"
#include "tests/support/read_file.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

namespace smsrack::pdu {
namespace {

using Raw = std::vector<std::uint8_t>;

Raw from_hex(const std::string& hex) {
    Raw octets;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        octets.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
    }
    return octets;
}

struct Vector {
    std::string id;
    Raw octets;
    Direction direction = Direction::stored;
    bool service_centre = true;
    bool trailing = false;
};

/// The golden PDUs that can be decoded.
std::vector<Vector> good_vectors() {
    std::vector<Vector> vectors;
    std::istringstream lines(test::read_file(SMSRACK_GOLDEN_DIR "/pdu-decode.jsonl"));
    for (std::string line; std::getline(lines, line);) {
        const auto json = wire::parse_json(line);
        REQUIRE(json.has_value());
        if ((*json)["expect"].contains("error")) {
            continue;
        }
        const std::string direction = json->value("direction", "auto");
        vectors.push_back({.id = (*json)["id"],
                           .octets = from_hex((*json)["hex"]),
                           .direction = direction == "mt"   ? Direction::to_mobile
                                        : direction == "mo" ? Direction::from_mobile
                                                            : Direction::stored,
                           .service_centre = !json->value("no_smsc", false),
                           .trailing = (*json)["expect"].contains("trailing")});
    }
    REQUIRE(vectors.size() > 80);
    return vectors;
}

PduResult<DecodedPdu> decode(const Vector& vector, Octets octets) {
    return vector.service_centre ? decode_pdu(octets, vector.direction)
                                 : decode_tpdu(octets, vector.direction);
}

/// Reads everything that a record can be asked for.
std::size_t use(const DecodedPdu& decoded) {
    std::size_t seen = decoded.trailing.size();
    if (const auto* deliver = std::get_if<SmsDeliver>(&decoded.tpdu)) {
        seen += deliver->user_data.text().size() + deliver->originator.display().size();
    }
    if (const auto* submit = std::get_if<SmsSubmit>(&decoded.tpdu)) {
        seen += submit->user_data.text().size() + submit->destination.display().size();
        seen += submit->vp.duration().has_value() + submit->vp.time().has_value();
    }
    if (const auto* report = std::get_if<SmsStatusReport>(&decoded.tpdu)) {
        seen += report->parameters && report->parameters->user_data
                    ? report->parameters->user_data->text().size()
                    : 0;
    }
    return seen;
}

TEST_CASE(
    "decoding: the first problem from left to right, with its code, its octet and its field") {
    struct Row {
        const char* so;
        const char* hex;
        PduErrc code;
        std::size_t offset;
        const char* field;
        Direction direction = Direction::stored;
    };
    for (const Row& row : {
             Row{"nothing", "", PduErrc::truncated, 0, "SMSC"},
             Row{"a service centre of 12 octets", "0C91", PduErrc::bad_address, 0, "SMSC"},
             Row{"a service centre that is cut", "0791947106", PduErrc::truncated, 5, "SMSC"},
             Row{"nothing behind it", "00", PduErrc::truncated, 1, "TP-MTI"},
             Row{"a reserved type", "00030000", PduErrc::reserved_mti, 1, "TP-MTI",
                 Direction::from_mobile},
             Row{"no address", "0004", PduErrc::truncated, 2, "TP-OA"},
             Row{"21 digits come before the end", "000415", PduErrc::bad_address, 2, "TP-OA"},
             Row{"an address that is cut", "00040C9194", PduErrc::truncated, 5, "TP-OA"},
             Row{"no TP-PID", "000400", PduErrc::truncated, 3, "TP-OA"},
             Row{"cut in the time stamp", "00040081000042605021", PduErrc::truncated, 10,
                 "TP-SCTS"},
             Row{"no length", "000400810000426050217054 80", PduErrc::truncated, 13, "TP-UDL"},
             Row{"161 septets, before the end", "00040081000042605021705480A1", PduErrc::bad_udl,
                 13, "TP-UDL"},
             Row{"141 octets of data", "000400810004426050217054808D", PduErrc::bad_udl, 13,
                 "TP-UDL"},
             Row{"141 octets of compressed text", "000400810020426050217054808D", PduErrc::bad_udl,
                 13, "TP-UDL"},
             Row{"user data that are cut", "000400810000426050217054800AE8", PduErrc::truncated, 15,
                 "TP-UD"},
             Row{"a header that is cut", "004400810004426050217054800A0505", PduErrc::truncated, 16,
                 "TP-UD"},
             Row{"a header beyond the user data", "00440081000442605021705480040405",
                 PduErrc::bad_udh, 14, "TP-UD.UDH"},
             Row{"a header cut before its length", "0044008100044260502170548004",
                 PduErrc::truncated, 14, "TP-UD"},
             Row{"a validity period that is cut", "0011000081000042", PduErrc::truncated, 8,
                 "TP-UDL"},
             Row{"an enhanced one", "00090000810000420000", PduErrc::truncated, 10, "TP-VP"},
             Row{"a command of 157 octets", "0002000000000081 9D", PduErrc::bad_udl, 8, "TP-CDL",
                 Direction::from_mobile},
             Row{"an endless TP-PI", "0000FF8080", PduErrc::truncated, 5, "TP-PI",
                 Direction::from_mobile},
             Row{"a report without TP-PI", "0000D3", PduErrc::truncated, 3, "TP-PI",
                 Direction::from_mobile},
         }) {
        CAPTURE(row.so);
        std::string hex = row.hex;
        std::erase(hex, ' ');
        const Raw octets = from_hex(hex);
        const auto decoded = decode_pdu(octets, row.direction);
        REQUIRE_FALSE(decoded.has_value());
        CHECK(pdu_errc_name(decoded.error().code) == pdu_errc_name(row.code));
        CHECK(decoded.error().offset == row.offset);
        CHECK(decoded.error().field == row.field);
        CHECK(to_error(decoded.error(), false).code == Errc::protocol);
    }
}

TEST_CASE(
    "decoding: every golden PDU cut anywhere is truncated there, or a shorter record that is "
    "complete") {
    for (const Vector& vector : good_vectors()) {
        CAPTURE(vector.id);
        const auto whole = decode(vector, vector.octets);
        REQUIRE(whole.has_value());
        CHECK(whole->trailing.empty() != vector.trailing);
        const bool optional_end =
            vector.trailing || std::holds_alternative<SmsStatusReport>(whole->tpdu);
        for (std::size_t size = 0; size < vector.octets.size(); ++size) {
            CAPTURE(size);
            const Raw cut(vector.octets.begin(),
                          vector.octets.begin() + static_cast<std::ptrdiff_t>(size));
            const auto decoded = decode(vector, cut);
            if (decoded) {
                CHECK(optional_end);
                use(*decoded);
            } else {
                CHECK(decoded.error().code == PduErrc::truncated);
                CHECK(decoded.error().offset == size);
            }
        }
    }
}

TEST_CASE(
    "decoding: damaged and random octets give a record or an error, and nothing is read outside "
    "them") {
    test::SeededRandom random(20260);
    const auto vectors = good_vectors();
    std::size_t good = 0;
    for (int round = 0; round < 60'000; ++round) {
        Raw octets;
        if (random.below(3) != 0) {
            octets = vectors[random.below(vectors.size())].octets;
            for (auto damages = random.below(6); damages > 0; --damages) {
                octets[random.below(octets.size())] = static_cast<std::uint8_t>(random.next());
            }
        } else {
            octets.resize(random.below<std::size_t>(200));
            for (auto& octet : octets) {
                octet = static_cast<std::uint8_t>(random.next());
            }
        }
        octets.shrink_to_fit();  // so that the sanitizer sees a read behind the end
        for (const Direction direction :
             {Direction::stored, Direction::to_mobile, Direction::from_mobile}) {
            const auto decoded = decode_pdu(octets, direction);
            good += decoded.has_value() ? 1 : 0;
            if (decoded) {
                use(*decoded);
                CHECK(decoded->tpdu_length <= octets.size());
            } else {
                REQUIRE(decoded.error().offset.has_value());
                CHECK(*decoded.error().offset <= octets.size());
            }
        }
    }
    CHECK(good > 20'000);
}

TEST_CASE("decoding: a header longer than the septets leaves no text") {
    const Raw octets = from_hex(
        "004400810000426050217054800605"
        "0003CC0201");
    const auto decoded = decode_pdu(octets, Direction::stored);
    REQUIRE(decoded.has_value());
    CHECK(std::get<SmsDeliver>(decoded->tpdu).user_data.text().empty());
}

TEST_CASE("decoding: TP-UDHI without user data is no header") {
    const Raw octets = from_hex("0044008100004260502170548000");
    const auto decoded = decode_pdu(octets, Direction::stored);
    REQUIRE(decoded.has_value());
    CHECK_FALSE(std::get<SmsDeliver>(decoded->tpdu).user_data.udh.has_value());
}

}  // namespace
}  // namespace smsrack::pdu
