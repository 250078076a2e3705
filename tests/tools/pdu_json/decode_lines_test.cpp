#include "tests/support/seeded_random.hpp"
#include "tests/tools/pdu_json/line_answers.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace smsrack::tools {
namespace {

using wire::Json;

TEST_CASE("pdu decode: every golden vector, whole") {
    const auto vectors = golden("pdu-decode.jsonl");
    REQUIRE(vectors.size() == 104);
    for (const Json& vector : vectors) {
        CAPTURE(vector["id"].get<std::string>());
        DecodeOptions options;
        const std::string direction = vector.value("direction", "auto");
        options.direction = direction == "mt"   ? pdu::Direction::to_mobile
                            : direction == "mo" ? pdu::Direction::from_mobile
                                                : pdu::Direction::stored;
        options.service_centre = !vector.value("no_smsc", false);
        check_expected(decoded(vector["hex"], options), vector["expect"]);
    }
}

TEST_CASE("pdu decode: blanks around a line do not count, blanks inside are no hex") {
    const std::string pdu = "0791947106004034040C9194712243658700004260502170548005E8329BFD06";
    CHECK(decoded(" \t" + pdu + " \r")["text"] == "hello");
    struct Row {
        std::string line;
        const char* code;
        std::size_t offset;
    };
    for (const Row& row : {
             Row{"", "empty", 0},
             Row{" \t\r ", "empty", 0},
             Row{"  00 11", "bad_hex", 2},
             Row{"00x", "bad_hex", 2},
             Row{"0011 ", "truncated", 2},
             Row{"001", "bad_hex", 3},
             Row{"0G1", "bad_hex", 1},
             Row{"é", "bad_hex", 0},
             Row{std::string("00\0", 3), "bad_hex", 2},
             Row{"\xFF\xFE", "bad_hex", 0},
         }) {
        CAPTURE(row.line);
        const Json got = decoded(row.line);
        CHECK(got["error"]["code"] == row.code);
        CHECK(got["error"]["offset"] == row.offset);
    }
}

TEST_CASE("pdu decode and encode: whatever the line, the answer is one line of JSON") {
    test::SeededRandom random(38);
    const auto pdus = golden("pdu-decode.jsonl");
    const auto requests = golden("pdu-encode.jsonl");
    DecodeLines stored({});
    DecodeLines bare({.direction = pdu::Direction::from_mobile, .service_centre = false});
    EncodeLines encode;
    for (int round = 0; round < 6000; ++round) {
        std::string line = round % 2 == 0
                               ? pdus[random.below(pdus.size())]["hex"].get<std::string>()
                               : requests[random.below(requests.size())]["request"].dump();
        for (auto damages = random.below(5); damages > 0 && !line.empty(); --damages) {
            const std::size_t at = random.below(line.size());
            const auto kind = random.below(3);
            if (kind == 0) {
                line[at] = static_cast<char>(random.next());
            } else if (kind == 1) {
                line[at] = "0123456789ABCDEF\"{}[]:,"[random.below(23)];
            } else {
                line.resize(at);
            }
        }
        std::erase(line, '\n');
        answer(stored, line);
        answer(bare, line);
        answer(encode, line);
    }
}

}  // namespace
}  // namespace smsrack::tools
