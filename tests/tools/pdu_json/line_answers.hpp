/// Checks that the answers of the line workers of `smsrack pdu` are one line of JSON each; and the
/// golden files.
#pragma once

#include "src/wire/json.hpp"
#include "tests/support/read_file.hpp"
#include "tools/pdu_json/line_codec.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

namespace smsrack::tools {

/// The answer to one line: exactly one line of JSON.
inline wire::Json answer(LineWorker& worker, const std::string& line) {
    std::string out;
    const bool good = worker.work(line, out);
    REQUIRE(out.size() > 1);
    REQUIRE(out.find('\n') == out.size() - 1);
    const auto json = wire::parse_json(out);
    REQUIRE(json.has_value());
    REQUIRE(good == !json->contains("error"));
    return *json;
}

inline wire::Json decoded(const std::string& line, DecodeOptions options = {}) {
    DecodeLines worker(options);
    return answer(worker, line);
}

inline wire::Json encoded(const std::string& line) {
    EncodeLines worker;
    return answer(worker, line);
}

inline std::vector<wire::Json> golden(const char* name) {
    std::vector<wire::Json> vectors;
    std::istringstream lines(test::read_file(std::string(SMSRACK_GOLDEN_DIR "/") + name));
    for (std::string line; std::getline(lines, line);) {
        const auto json = wire::parse_json(line);
        REQUIRE(json.has_value());
        vectors.push_back(*json);
    }
    return vectors;
}

/// The whole record; of an error the members that the vector names.
inline void check_expected(const wire::Json& got, const wire::Json& expected) {
    if (!expected.contains("error")) {
        CHECK(got == expected);
        return;
    }
    REQUIRE(got.contains("error"));
    for (const auto& [name, value] : expected["error"].items()) {
        CHECK(got["error"][name] == value);
    }
}

}  // namespace smsrack::tools
