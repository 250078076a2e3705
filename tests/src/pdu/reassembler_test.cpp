#include "src/pdu/reassembler.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace smsrack::pdu {
namespace {

InboundSegment segment(InboundKind kind, std::string payload) {
    InboundSegment made{};
    made.kind = kind;
    made.payload = std::move(payload);
    return made;
}

std::string utf16(std::initializer_list<unsigned> octets) {
    std::string text;
    for (const unsigned octet : octets) {
        text += static_cast<char>(octet);
    }
    return text;
}

TEST_CASE(
    "joining: texts are joined in order, and a pair cut between two segments is one character") {
    const std::vector segments{segment(InboundKind::ucs2, utf16({0, 'a', 0xD8, 0x3D})),
                               segment(InboundKind::ucs2, utf16({0xDE, 0x00, 0, 'b'})),
                               segment(InboundKind::gsm7, "é€"),
                               segment(InboundKind::ucs2, utf16({0xD8, 0x3D}))};
    const InboundText joined = join_segments(segments);
    CHECK_FALSE(joined.is_data);
    CHECK(joined.text == "a😀bé€\uFFFD");
    CHECK(joined.data.empty());
}

TEST_CASE("joining: a missing half of a pair is U+FFFD, nothing else is touched") {
    const std::vector segments{segment(InboundKind::ucs2, utf16({0, 'a', 0xD8, 0x3D})),
                               segment(InboundKind::ucs2, utf16({0, 'b'}))};
    CHECK(join_segments(segments).text == "a\uFFFDb");
    CHECK(join_segments({}).text.empty());
}

TEST_CASE("joining: data is data, also next to text") {
    const std::vector segments{segment(InboundKind::data, std::string("\0\xFF", 2)),
                               segment(InboundKind::gsm7, "x")};
    const InboundText joined = join_segments(segments);
    CHECK(joined.is_data);
    CHECK(joined.text.empty());
    CHECK(joined.data == std::string("\0\xFFx", 3));
    const std::vector raw{segment(InboundKind::undecodable, "\x01\x02")};
    CHECK(join_segments(raw).is_data);
}

}  // namespace
}  // namespace smsrack::pdu
